/*---
params: { since: { default: { sql: current_date - 30 } } }
---*/
SELECT status, << since >> AS since, count(*) AS orders FROM orders WHERE day >= << since >>
GROUP BY status HAVING max(day) > << since >> ORDER BY max(day) - << since >>, status
