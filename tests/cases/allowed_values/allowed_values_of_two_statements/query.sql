/*---
params:
  # error: [multiple-statements]
  city: { allowed_values: { query: SELECT city FROM customers; SELECT name FROM customers } }
---*/
SELECT id FROM customers WHERE city = << city >>
