SELECT id
-- error: [unknown-table]
FROM sales.orders
