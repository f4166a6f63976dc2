/*---
params: { vip: { allowed_values: [true] } }
---*/
SELECT count(*) AS n FROM customers WHERE vip = << vip >>
