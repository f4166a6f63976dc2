/*---
description: Decimals with -2 digits behind the point.
---*/
SELECT
  neg.id,
  neg.d,
  neg.d * 1.5 AS half_more,
  neg.d = 1200 AS is_found,
  neg.d BETWEEN -600 AND 1199.5 AS is_between,
  avg(neg.d) OVER () AS mean,
  declared.d AS whole,
  declared.d = 1200 AS is_found_too,
  declared.e
FROM neg
JOIN declared ON declared.id = neg.id AND (declared.d = neg.d OR neg.d IS NULL)
WHERE true
  [[ AND neg.d = << d >> ]]
  AND (neg.d >= -500 OR neg.d IS NULL)
ORDER BY neg.id
