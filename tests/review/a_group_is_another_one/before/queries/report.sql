SELECT status, count(*) AS n FROM orders GROUP BY status
