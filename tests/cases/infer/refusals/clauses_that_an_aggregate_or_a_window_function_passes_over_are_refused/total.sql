-- error: [invalid-query]
SELECT id, sum(price) IGNORE NULLS OVER () AS r FROM orders
