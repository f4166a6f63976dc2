/*---
params:
  city: { allowed_values: { query: SELECT city FROM customers, refresh: 1h } }
---*/
SELECT id
FROM orders
WHERE note = << city >>
