SELECT id FROM orders
-- error: [invalid-default]
WHERE quantity > << least = customer_id + 1 >> ORDER BY id
