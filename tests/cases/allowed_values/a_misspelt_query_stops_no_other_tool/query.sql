/*---
params:
  city: { allowed_values: { query: SELECT city FROM customers } }
---*/
SELECT id FROM customers WHERE city = << city >>
