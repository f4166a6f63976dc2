SELECT id, CASE WHEN id = 4 THEN 'four' END AS word FROM orders WHERE id IN (4, 5) ORDER BY id
