WITH a_few AS (
  SELECT id, customer_id
  FROM orders
  -- warning: [unordered-limit]
  LIMIT 5
)
SELECT
  id,
  (
    SELECT name FROM customers
    -- warning: [unordered-limit]
    LIMIT 1
  ) AS somebody
FROM a_few
ORDER BY id
LIMIT 3
