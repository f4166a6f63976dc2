/*---
params: { unit: { allowed_values: [month, quarter] } }
---*/
-- calls: 12, 4
SELECT count(*) AS n
FROM (
  SELECT date_trunc(<< unit >>, placed_at) AS period, count(*) AS orders
  FROM orders
  GROUP BY date_trunc(<< unit >>, placed_at)
  ORDER BY date_trunc(<< unit >>, placed_at)
) AS t
