/*---
params:
  by: { choices: { status: status, city: CAST(customer_id AS text) } }
---*/
SELECT << by >> AS key, count(*) AS orders FROM orders GROUP BY ROLLUP (<< by >>) ORDER BY orders DESC, key
