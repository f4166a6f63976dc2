-- error: [syntax-error]
SELECT id AS << alias: text >> FROM orders
