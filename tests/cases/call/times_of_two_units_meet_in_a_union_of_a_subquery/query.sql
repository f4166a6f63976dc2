SELECT id
FROM types
WHERE clock IN (SELECT u.y FROM (SELECT clock AS y FROM types WHERE id = << one: smallint >> UNION ALL SELECT TIME '23:59:59.999999') AS u)
ORDER BY id
