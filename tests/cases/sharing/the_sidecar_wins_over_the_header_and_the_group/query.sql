/*---
params:
  since: { default: 2024-11-01, description: From the header. }
---*/
SELECT id FROM orders WHERE day BETWEEN << since >> AND << until >> ORDER BY id
