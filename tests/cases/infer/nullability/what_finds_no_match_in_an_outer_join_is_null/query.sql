SELECT c.id, o.id AS order_id, o.quantity
FROM customers AS c
LEFT JOIN orders AS o ON o.customer_id = c.id AND o.status = 'cancelled'
WHERE c.id < 4
ORDER BY c.id
