SELECT status, count(*) AS n, sum(quantity) AS units
FROM orders
WHERE status IN ('returned', 'cancelled')
GROUP BY ROLLUP (status)
ORDER BY n, status
