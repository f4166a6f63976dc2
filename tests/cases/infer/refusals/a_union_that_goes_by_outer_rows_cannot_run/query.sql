SELECT c.id, l.id AS found
FROM customers AS c
CROSS JOIN LATERAL (
  -- error: [cannot-run]
  SELECT o.id FROM orders AS o WHERE o.customer_id = c.id
  UNION
  SELECT i.id FROM items AS i WHERE i.id > c.id
) AS l
