/*---
params:
  n: { minimum: -2 }
---*/
SELECT nth_value(id, << n >> ORDER BY id) AS nth FROM orders
