SELECT id
FROM customers AS c
-- error: [cannot-run]
WHERE EXISTS (SELECT 1 FROM orders AS o
  WHERE o.price > << least >> AND (o.customer_id = c.id OR o.status NOT IN (SELECT x.name FROM customers AS x)))
