-- error: [invalid-query]
SELECT id FROM orders WHERE id = (SELECT id, name FROM customers)
