SELECT
  id,
  -- error: [invalid-query]
  price::numeric(300) AS price
FROM orders
