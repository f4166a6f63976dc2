SELECT id
-- error: [invalid-query]
FROM orders FINAL
