/*---
params:
  least: { minimum: 1, maximum: 1, default: 1 }
  since: { minimum: 2024-01-01, default: 2024-01-01 }
---*/
SELECT id FROM orders WHERE quantity >= << least >> AND day >= << since >>
