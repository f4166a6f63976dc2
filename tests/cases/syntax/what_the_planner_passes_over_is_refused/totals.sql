SELECT status, count(*) AS orders
FROM orders
-- error: [invalid-query]
GROUP BY status WITH TOTALS
