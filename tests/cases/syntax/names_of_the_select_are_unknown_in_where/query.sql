SELECT id, price * 2 AS twice
FROM orders
-- error: [unknown-column]
WHERE twice > 10
ORDER BY id
