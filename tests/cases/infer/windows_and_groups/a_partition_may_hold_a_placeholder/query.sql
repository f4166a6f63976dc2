/*---
params: { unit: { allowed_values: [month, year] } }
---*/
SELECT count(*) AS n
FROM (
  SELECT id FROM orders
  QUALIFY row_number() OVER (PARTITION BY date_trunc(<< unit >>, placed_at), status = << status >> ORDER BY id) = 1
) AS t
