SELECT
  -- error: [invalid-query]
  CASE WHEN id > 2 THEN true ELSE 'false' END AS a
FROM orders
