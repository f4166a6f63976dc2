-- error: [invalid-placeholder]
SELECT id AS << alias: text >> FROM orders
