-- calls: 5, 0, 5, an error
SELECT count(*) AS n FROM (SELECT id FROM orders ORDER BY id LIMIT << k >> OFFSET << s >>) AS t
