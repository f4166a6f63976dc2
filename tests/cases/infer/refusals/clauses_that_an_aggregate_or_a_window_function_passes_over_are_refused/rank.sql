-- error: [invalid-query]
SELECT id, rank() IGNORE NULLS OVER (ORDER BY price) AS r FROM orders
