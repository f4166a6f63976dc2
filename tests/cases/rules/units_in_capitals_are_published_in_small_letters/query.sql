/*---
params:
  unit:
    allowed_values: [YEAR, Month]
    default: MONTH
    examples: [year, YEAR]
---*/
SELECT count(*) AS n
FROM orders
WHERE date_trunc(<< unit >>, placed_at) = TIMESTAMP '2024-01-01'
