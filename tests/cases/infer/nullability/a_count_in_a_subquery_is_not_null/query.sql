SELECT
  c.id,
  (SELECT count(*) FROM orders AS o WHERE o.customer_id = c.id AND o.status = 'cancelled') AS cancelled,
  (SELECT sum(o.quantity) FROM orders AS o WHERE o.customer_id = c.id AND o.status = 'cancelled') AS units
FROM customers AS c
WHERE c.id < 3
ORDER BY c.id
