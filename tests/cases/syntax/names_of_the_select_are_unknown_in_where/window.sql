SELECT id, row_number() OVER (PARTITION BY status ORDER BY total, id) AS place
FROM orders
-- error: [unknown-column]
WHERE total > 1 AND place <= 3
ORDER BY id
