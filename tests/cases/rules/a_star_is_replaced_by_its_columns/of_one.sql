SELECT
  -- warning: [select-star]
  c.*
FROM customers AS c
JOIN orders AS o ON o.customer_id = c.id
