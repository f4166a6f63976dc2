/*---
result_limit: none
---*/
SELECT count(*) AS n FROM orders
UNION ALL
SELECT count(*) AS n FROM customers
