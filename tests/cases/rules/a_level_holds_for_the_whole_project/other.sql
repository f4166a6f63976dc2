SELECT o.* FROM orders AS o
