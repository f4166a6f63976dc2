/*---
description: Numbers of 38 digits, of which no two have a sum of 38 digits, and the third takes one off.
---*/
SELECT sum(x) AS total
FROM (
  SELECT CAST('60000000000000000000000000000000000000' AS DECIMAL(38,0)) * CASE WHEN value = 3 THEN -1 ELSE 1 END AS x
  FROM generate_series(1, << count: int >>)
)
