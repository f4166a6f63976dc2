/*---
params:
  # error: [invalid-default]
  since: { default: 28.02.2024 }
---*/
SELECT id FROM orders WHERE day >= << since >>
