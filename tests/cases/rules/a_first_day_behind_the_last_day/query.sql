/*---
params:
  # error: [invalid-constraint]
  since: { minimum: 2024-12-31, maximum: 2024-01-01 }
---*/
SELECT id FROM orders WHERE day >= << since >>
