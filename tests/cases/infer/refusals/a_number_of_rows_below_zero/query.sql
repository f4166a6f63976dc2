SELECT id
-- error: [invalid-query]
FROM (SELECT id FROM orders ORDER BY id LIMIT 2 - 3) AS first_ones
WHERE id = << id >>
ORDER BY id
-- error: [invalid-query]
LIMIT << n >> OFFSET -1
