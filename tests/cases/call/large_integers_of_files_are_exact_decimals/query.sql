SELECT 'decimal' AS read, CAST(id AS text) AS id, CAST(day AS text) AS day, CAST(at AS text) AS at FROM lines
UNION ALL
SELECT 'double' AS read, CAST(id AS text) AS id, day, at FROM rounded
UNION ALL
SELECT 'mixed' AS read, CAST(n AS text) AS id, NULL AS day, NULL AS at FROM mixed
ORDER BY read, id
