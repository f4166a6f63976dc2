/*---
params:
  since: { description: First day., default: { sql: "current_date - INTERVAL '1 month'" } }
---*/
SELECT id FROM orders WHERE day >= << since >> AND day < << until = current_date + INTERVAL '1 day' >> ORDER BY id
