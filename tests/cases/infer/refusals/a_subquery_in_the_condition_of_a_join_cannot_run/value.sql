SELECT o.id, c.name
FROM orders AS o
JOIN customers AS c
  -- error: [invalid-query]
  ON o.customer_id = c.id AND o.id = (SELECT max(i.id) FROM items AS i WHERE i.id = c.id)
