SELECT
  -- error: [select-star]
  *
FROM orders
