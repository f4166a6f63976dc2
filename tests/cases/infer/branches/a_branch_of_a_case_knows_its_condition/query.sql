SELECT id, CASE WHEN note IS NULL THEN '-' ELSE note END AS note FROM orders WHERE id IN (4, 5) ORDER BY id
