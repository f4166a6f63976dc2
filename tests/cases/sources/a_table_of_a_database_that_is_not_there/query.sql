SELECT 1 FROM orders -- error: [unknown-table]
