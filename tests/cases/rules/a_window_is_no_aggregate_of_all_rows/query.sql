/*---
# warning: [unbounded-result]
result_limit: none
---*/
SELECT id, count(*) OVER () AS n, (SELECT count(*) FROM customers) AS customers FROM orders
