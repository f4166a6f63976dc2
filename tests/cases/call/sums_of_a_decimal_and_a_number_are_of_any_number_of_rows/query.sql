/*---
description: Two sums of which each has a number with a point in it.
---*/
SELECT
  sum(d + 0.05) AS a,
  sum(d + 0.10) AS b,
  sum(d + 5.0) AS c,
  sum(value + 1) AS m,
  sum(value + 2) AS n,
  sum(d + 0.05) FILTER (WHERE value > 990) AS some
FROM (SELECT value, CAST(value AS DECIMAL(10,2)) AS d FROM generate_series(1, 1000))
