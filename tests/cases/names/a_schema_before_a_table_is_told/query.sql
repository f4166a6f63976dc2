-- error: [unknown-table]
SELECT id FROM shop.orders
