/*---
params: { since: { minimum: 2024-01-01, exclusive_maximum: 2025-01-01 } }
---*/
SELECT count(*) AS orders FROM orders WHERE day >= << since >>
