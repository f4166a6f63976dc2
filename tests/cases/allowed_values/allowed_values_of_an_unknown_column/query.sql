/*---
params:
  # error: [unknown-column]
  city: { allowed_values: { query: SELECT town FROM customers } }
---*/
SELECT id FROM customers WHERE city = << city >>
