SELECT id FROM large_orders
