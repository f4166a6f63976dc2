-- error: [invalid-query]
SELECT id FROM orders WHERE id = << id >> ORDER BY id LIMIT 'x'
