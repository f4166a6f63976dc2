-- calls: 3
SELECT count(*) AS n
FROM orders AS o
JOIN customers AS c ON o.customer_id = c.id
WHERE o.day - << a >> >= DATE '2024-03-01' AND o.placed_at - << b >> < o.day AND o.day - << e >> > c.joined
