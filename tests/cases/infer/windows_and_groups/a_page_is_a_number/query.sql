-- calls: 8, 4, 0
SELECT count(*) AS n FROM (SELECT id FROM orders ORDER BY id LIMIT << size >> OFFSET (<< page >> - 1) * << size >>) AS t
