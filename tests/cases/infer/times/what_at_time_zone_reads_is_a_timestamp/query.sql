-- calls: 4
SELECT id, << local >> AT TIME ZONE 'Europe/Brussels' AS at
FROM types
WHERE << other >> AT TIME ZONE << zone >> = << instant >> OR id > 0
