-- error: [unknown-column]
SELECT colour FROM orders
