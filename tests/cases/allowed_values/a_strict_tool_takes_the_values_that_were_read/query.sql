/*---
strict: true
params:
  id: { allowed_values: { query: SELECT id FROM customers } }
  city: { allowed_values: { query: SELECT city FROM customers } }
---*/
SELECT name FROM customers WHERE id = << id >> AND city = << city >>
