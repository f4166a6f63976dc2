-- error: [invalid-query]
SELECT id FROM orders WHERE quantity
