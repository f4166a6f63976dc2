SELECT id, quantity AS n, day FROM orders
UNION ALL
-- error: [invalid-query]
SELECT customer_id, 'total', '2024-01-31' FROM orders
