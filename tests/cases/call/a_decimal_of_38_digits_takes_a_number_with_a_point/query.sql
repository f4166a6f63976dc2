/*---
description: Decimals of 38 digits beside numbers with a point.
---*/
WITH t (d) AS (VALUES (CAST('12345678901234567890.1234567890' AS DECIMAL(38,10))))
SELECT
  d + 0.5 AS sum,
  d - 0.00000000001 AS less,
  d % 0.7 AS rest,
  sum(d) + 0.5 AS total
FROM t
GROUP BY d
