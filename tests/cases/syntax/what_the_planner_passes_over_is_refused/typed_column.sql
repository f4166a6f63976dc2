SELECT i
-- error: [invalid-query]
FROM (SELECT id FROM orders) AS o (i int)
