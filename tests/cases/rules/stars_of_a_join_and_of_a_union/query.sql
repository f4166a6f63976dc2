SELECT
  -- warning: [select-star]
  o.*,
  c.name
FROM orders AS o
JOIN customers AS c ON c.id = o.customer_id
