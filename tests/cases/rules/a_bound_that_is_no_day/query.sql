/*---
params:
  # error: [invalid-constraint]
  since: { minimum: 2024-02-30 }
---*/
SELECT id FROM orders WHERE day >= << since >>
