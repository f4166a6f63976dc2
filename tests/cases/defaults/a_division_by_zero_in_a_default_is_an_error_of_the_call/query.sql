/*---
params:
  n: { default: { sql: 12 / CAST(extract(month FROM current_date) - 7 AS bigint) } }
---*/
SELECT id FROM orders WHERE id <= << n >> ORDER BY id
