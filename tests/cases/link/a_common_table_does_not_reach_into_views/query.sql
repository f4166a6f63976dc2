WITH shipped AS (SELECT id FROM customers)
SELECT l.id, count(s.id) AS customers FROM large AS l CROSS JOIN shipped AS s GROUP BY l.id ORDER BY l.id
