/*---
params:
  city: { allowed_values: { query: SELECT city FROM customers } }
---*/
SELECT id, name FROM customers WHERE city = << city >> ORDER BY id
