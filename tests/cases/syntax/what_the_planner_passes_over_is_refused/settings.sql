SELECT id
FROM orders
-- error: [invalid-query]
SETTINGS max_threads = 1
