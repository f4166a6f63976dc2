/*---
# warning: [unbounded-result]
result_limit: none
---*/
SELECT status, count(*) AS n FROM orders GROUP BY status
