/*---
params:
  # error: [invalid-default]
  since: { minimum: 2024-01-01, default: 2023-12-31 }
---*/
SELECT id FROM orders WHERE day >= << since >>
