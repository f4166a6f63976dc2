SELECT
  id,
  -- error: [invalid-query]
  CAST(price AS decimal(50, 2)) AS price
FROM orders
