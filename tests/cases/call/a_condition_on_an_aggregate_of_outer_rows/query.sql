SELECT id
FROM customers AS c
WHERE EXISTS (SELECT count(*) FROM orders AS o WHERE o.customer_id = c.id HAVING count(*) = << n >>)
ORDER BY id
