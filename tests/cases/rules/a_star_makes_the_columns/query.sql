SELECT
  -- warning: [select-star]
  *
FROM orders
ORDER BY id
