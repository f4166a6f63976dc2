/*---
params: { unit: { allowed_values: [month, year] } }
---*/
-- calls: 3, invalid-argument
SELECT count(*) AS n
FROM orders
WHERE date_trunc(<< unit >>, placed_at) = TIMESTAMP '2024-01-01'
