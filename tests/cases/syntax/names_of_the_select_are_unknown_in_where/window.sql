SELECT id, row_number() OVER (PARTITION BY status ORDER BY price, id) AS place
FROM orders
-- error: [unknown-column]
WHERE price > 1 AND place <= 3
ORDER BY id
