SELECT c.name, o.id
FROM customers AS c
-- warning: [unfiltered-scan]
CROSS JOIN orders AS o
