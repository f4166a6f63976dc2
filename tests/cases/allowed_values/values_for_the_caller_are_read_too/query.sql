/*---
params:
  city: { from: claim.city, allowed_values: { query: SELECT city FROM customers } }
---*/
SELECT id FROM customers WHERE city = << city >> ORDER BY id
