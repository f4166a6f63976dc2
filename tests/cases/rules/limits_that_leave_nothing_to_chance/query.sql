SELECT id, price
FROM orders
WHERE EXISTS (SELECT 1 FROM customers WHERE customers.id = orders.customer_id LIMIT 1)
ORDER BY price DESC, id
LIMIT 3
