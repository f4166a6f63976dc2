/*---
description: Functions of items, over rows of which not all columns are read.
---*/
WITH v (xs, n, other) AS (VALUES ([10, 20, 3], 1, 'a'), ([1], 2, 'b'))
SELECT
  array_first(xs, x -> x > << least >>) AS first,
  array_transform([n], y -> y + 3.0) AS more,
  array_transform(xs, x -> x * n) AS times
FROM v
WHERE n > 0
