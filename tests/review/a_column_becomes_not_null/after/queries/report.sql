SELECT id, coalesce(quantity, 0) AS quantity FROM orders
