/*---
params:
  vip: { allowed_values: { query: SELECT vip FROM customers WHERE id < 3 } }
---*/
SELECT count(*) AS n FROM customers WHERE vip = << vip >>
