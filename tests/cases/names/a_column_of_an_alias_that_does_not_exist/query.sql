-- error: [unknown-column]
SELECT x.id FROM orders AS o
