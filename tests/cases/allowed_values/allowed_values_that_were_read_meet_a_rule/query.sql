/*---
params:
  city: { allowed_values: { query: SELECT city FROM customers } }
rules:
  - { check: << city >> <> 'Köln', message: Not Köln. }
---*/
SELECT id FROM customers WHERE city = << city >> ORDER BY id
