-- error: [unknown-column]
SELECT o.city FROM orders AS o JOIN customers AS c ON c.id = o.customer_id
