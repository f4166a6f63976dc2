SELECT status, count(*) AS n
FROM orders
-- error: [invalid-query]
GROUP BY 3
-- error: [invalid-query]
ORDER BY 4
