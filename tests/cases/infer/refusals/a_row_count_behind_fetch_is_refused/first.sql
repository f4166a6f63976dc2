SELECT id FROM orders
ORDER BY id
OFFSET 2 ROWS
-- error: [invalid-query]
FETCH FIRST << k >> ROWS ONLY
