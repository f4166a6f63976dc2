WITH query AS (SELECT id FROM orders)
SELECT id FROM query
