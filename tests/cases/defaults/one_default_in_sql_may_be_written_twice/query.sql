/*---
params: { since: { default: { sql: current_date - 7 } } }
---*/
SELECT id FROM recent WHERE day >= << since = current_date - 7 >> OR day = << since = current_date - 7 >> ORDER BY id
