SELECT o.customer_id, c.id, c.name
FROM orders AS o
JOIN customers AS c ON c.id = o.customer_id
WHERE o.quantity = 10
