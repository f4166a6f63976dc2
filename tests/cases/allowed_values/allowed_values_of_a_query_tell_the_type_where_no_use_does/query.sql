/*---
params:
  city: { allowed_values: { query: SELECT city FROM customers } }
  id: { allowed_values: { query: SELECT id FROM customers } }
---*/
SELECT << city >> AS city, << id >> AS id
