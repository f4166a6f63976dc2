/*---
params:
  # error: [unknown-table]
  city: { allowed_values: { query: SELECT city FROM custmers } }
---*/
SELECT id FROM customers WHERE city = << city >>
