-- error: [cannot-run]
SELECT status, count(*) AS n FROM orders GROUP BY status HAVING count(*) OVER w > << n >> WINDOW w AS (ORDER BY status)
