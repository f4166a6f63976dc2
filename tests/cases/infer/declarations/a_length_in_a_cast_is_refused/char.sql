-- error: [invalid-query]
SELECT status::char(3) AS short FROM orders
