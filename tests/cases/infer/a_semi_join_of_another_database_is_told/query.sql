-- error: [invalid-query]
SELECT o.id FROM orders AS o SEMI JOIN customers AS c ON o.id = c.id
