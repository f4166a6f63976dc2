/*---
params:
  # error: [invalid-default]
  address: { format: email, default: nobody }
---*/
SELECT id FROM orders WHERE note = << address >>
