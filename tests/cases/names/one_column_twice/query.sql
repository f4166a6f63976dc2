-- error: [duplicate-column]
SELECT id, status, id FROM orders
