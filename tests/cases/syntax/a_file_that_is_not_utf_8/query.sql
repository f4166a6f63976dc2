-- error: [not-utf8] nowhere
SELECT id FROM orders
