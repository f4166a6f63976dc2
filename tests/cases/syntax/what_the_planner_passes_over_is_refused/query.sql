SELECT status, count(*) AS orders
FROM orders
WHERE price > << least >>
-- error: [invalid-query]
GROUP BY status WITH ROLLUP
