SELECT o.id, c.name FROM orders AS o JOIN customers AS c USING (id)
