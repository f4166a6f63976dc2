SELECT o.id, c.name
FROM orders AS o
LEFT JOIN customers AS c
  -- error: [cannot-run]
  ON o.customer_id = c.id AND o.id IN (SELECT id FROM items)
