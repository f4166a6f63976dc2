SELECT o.id, c.name
FROM customers AS c
-- warning: [unfiltered-scan]
FULL JOIN orders AS o ON c.id = o.customer_id
