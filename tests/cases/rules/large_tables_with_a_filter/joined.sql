SELECT c.name, o.id FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id
