/*---
kind: view
---*/
SELECT status, count(*) AS n
-- warning: [unfiltered-scan]
FROM orders
GROUP BY status
