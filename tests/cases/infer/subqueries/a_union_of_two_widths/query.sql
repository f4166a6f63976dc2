-- error: [invalid-query]
SELECT id, status FROM orders UNION ALL SELECT id FROM customers
