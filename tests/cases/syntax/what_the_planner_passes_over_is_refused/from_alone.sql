-- error: [invalid-query]
FROM orders
