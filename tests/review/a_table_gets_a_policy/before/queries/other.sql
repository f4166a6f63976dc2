SELECT id FROM customers
