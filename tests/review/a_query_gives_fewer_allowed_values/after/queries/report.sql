/*---
params:
  city: { allowed_values: { query: SELECT city FROM customers } }
---*/
SELECT id
FROM orders
WHERE note = << city >>
