WITH chosen AS (
  -- warning: [hand-written-clause]
  SELECT id, city FROM customers WHERE city = coalesce(<< city? >>, city)
)
SELECT id
FROM chosen
-- warning: [hand-written-clause]
WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = chosen.id AND (<< status? >> IS NULL OR status = << status >>))
ORDER BY id
