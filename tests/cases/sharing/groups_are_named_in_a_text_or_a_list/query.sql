/*---
# error: [invalid-value]
params_from: 5
---*/
SELECT count(*) AS n FROM orders
