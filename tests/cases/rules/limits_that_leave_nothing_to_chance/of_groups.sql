SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY n DESC LIMIT 2
