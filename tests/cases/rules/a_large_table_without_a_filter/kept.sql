SELECT o.id, c.name
-- warning: [unfiltered-scan]
FROM orders AS o
LEFT JOIN customers AS c ON c.id = o.customer_id
