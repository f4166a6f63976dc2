SELECT o.id, c.name
FROM orders AS o
LEFT JOIN (SELECT DISTINCT id FROM items) AS found ON o.id = found.id
LEFT JOIN customers AS c ON o.customer_id = c.id AND found.id IS NOT NULL
