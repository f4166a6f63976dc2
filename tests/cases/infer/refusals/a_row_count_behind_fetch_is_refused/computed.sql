SELECT id FROM orders
ORDER BY id
-- error: [invalid-query]
FETCH FIRST (2 + 3) ROWS ONLY
