/*---
description: Sums of numbers of 38 digits with the row before, in windows that slide.
---*/
SELECT value, sum(x) OVER (ORDER BY value ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS total
FROM (
  SELECT value, CAST('60000000000000000000000000000000000000' AS DECIMAL(38,0)) AS x
  FROM generate_series(1, << rows: int >>)
)
ORDER BY value
