SELECT o.id, c.name
FROM customers AS c
-- warning: [unfiltered-scan]
RIGHT JOIN orders AS o ON c.id = o.customer_id
