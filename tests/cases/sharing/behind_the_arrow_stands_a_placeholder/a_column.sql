SELECT c.id
FROM orders AS o
-- error: [invalid-query]
JOIN cheap(most => o.price) AS c ON c.id = o.id
