SELECT id, instant AT TIME ZONE << zone >> AS clock, CAST(instant AT TIME ZONE << zone >> AS date) AS day
FROM types
WHERE instant >= (TIMESTAMP '2024-02-29 00:00:00' AT TIME ZONE << zone >>)
ORDER BY id
