/*---
params:
  city: { allowed_values: { query: SELECT city FROM customers WHERE vip } }
---*/
SELECT id
FROM orders
WHERE note = << city >>
