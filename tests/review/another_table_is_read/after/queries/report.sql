SELECT o.id FROM orders AS o JOIN customers AS c ON c.id = o.customer_id
