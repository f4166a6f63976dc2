SELECT day AS x
FROM orders
UNION ALL
-- error: [invalid-query]
SELECT 20240131 AS x
