/*---
# error: [invalid-value]
params_from: { common_dates: true }
---*/
SELECT count(*) AS n FROM orders
