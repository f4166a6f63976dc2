SELECT day FROM orders
UNION ALL
-- error: [invalid-query]
SELECT status FROM orders
