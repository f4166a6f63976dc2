SELECT id FROM open_orders ORDER BY id
