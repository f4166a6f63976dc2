SELECT id
FROM customers AS c
WHERE vip
  OR name = << name? >>
  OR EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id AND o.status = << status? >>)
