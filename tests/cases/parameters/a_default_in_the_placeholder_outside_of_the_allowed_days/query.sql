/*---
params: { since: { allowed_values: [2024-01-01, 2024-02-01] } }
---*/
SELECT id
FROM orders
-- error: [default-not-allowed]
WHERE day >= << since = DATE '2024-03-01' >>
ORDER BY id
