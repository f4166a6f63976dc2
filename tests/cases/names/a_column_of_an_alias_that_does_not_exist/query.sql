-- error: [unknown-table]
SELECT x.id FROM orders AS o
