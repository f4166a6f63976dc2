SELECT o.id, c.name
FROM orders AS o
LEFT JOIN customers AS c
  -- error: [cannot-run]
  ON EXISTS (SELECT 1 FROM items AS i WHERE i.id = o.id)
