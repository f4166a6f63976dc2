SELECT id
-- error: [invalid-query]
FROM (SELECT id FROM orders) AS o SAMPLE 0.1
