SELECT id
FROM (
  -- error: [invalid-query]
  SELECT id, CASE WHEN id > 2 THEN 1 ELSE 'a' END AS x FROM orders
)
WHERE x = 1
