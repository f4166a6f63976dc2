/*---
# warning: [unbounded-result]
result_limit: none
---*/
SELECT count(*) AS id FROM orders
UNION ALL
SELECT id FROM customers
ORDER BY id OFFSET 3
