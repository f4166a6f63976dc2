-- description: Orders.
SELECT id FROM orders
