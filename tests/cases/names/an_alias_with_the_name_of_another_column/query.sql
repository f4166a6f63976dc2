-- error: [duplicate-column]
SELECT id, customer_id AS id FROM orders
