-- error: [invalid-query]
SELECT TOP 5 id FROM orders
