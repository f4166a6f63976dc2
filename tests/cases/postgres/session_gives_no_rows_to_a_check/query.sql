/*---
params:
  customer: { allowed_values: { query: SELECT DISTINCT customer FROM orders } } # error: [invalid-setting]
---*/
SELECT id FROM orders WHERE customer = << customer >>
