SELECT d.*, c.name
FROM (SELECT id, customer_id FROM orders) AS d
JOIN customers AS c ON c.id = d.customer_id
