SELECT
  id,
  -- error: [invalid-query]
  CAST(price AS decimal(5, 7)) AS price
FROM orders
