/*---
params: { statuses: { default: [returned] }, since: { default: 2024-04-01 } }
---*/
SELECT id FROM orders WHERE status IN << statuses >> AND day >= << since >> ORDER BY id
