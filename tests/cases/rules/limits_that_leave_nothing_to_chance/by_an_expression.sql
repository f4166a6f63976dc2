SELECT id FROM orders ORDER BY price * quantity LIMIT 2
