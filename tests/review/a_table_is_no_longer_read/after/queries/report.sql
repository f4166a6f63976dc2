SELECT o.id FROM orders AS o
