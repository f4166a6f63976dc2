-- error: [unknown-column]
SELECT statuss FROM orders
