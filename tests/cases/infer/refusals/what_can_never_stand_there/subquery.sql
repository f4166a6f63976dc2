SELECT id, quantity
FROM orders
WHERE quantity > (SELECT avg(quantity) FROM orders WHERE id > 1)
QUALIFY row_number() OVER (PARTITION BY status ORDER BY id) = 1
ORDER BY 1
