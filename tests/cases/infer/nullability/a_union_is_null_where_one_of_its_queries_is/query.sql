SELECT id, note FROM orders WHERE id = 1 AND note IS NOT NULL
UNION ALL
SELECT id, note FROM orders WHERE id = 4
ORDER BY id
