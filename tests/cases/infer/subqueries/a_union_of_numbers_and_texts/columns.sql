SELECT NULL AS k
UNION ALL
SELECT quantity FROM orders
UNION ALL
-- error: [invalid-query]
SELECT status FROM orders
