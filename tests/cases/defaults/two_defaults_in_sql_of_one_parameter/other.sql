/*---
params: { since: { default: 2024-01-01 } }
---*/
SELECT id
FROM orders
-- error: [conflicting-configuration]
WHERE day >= << since = current_date - 7 >>
