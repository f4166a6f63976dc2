/*---
description: How often each value is left, of two lists with values that are there several times.
---*/
WITH
  a (v) AS (VALUES (1), (1), (1), (2), (3), (NULL), (NULL)),
  b (v) AS (VALUES (1), (1), (3), (3), (4), (NULL))
SELECT operation, v, count(*) AS times
FROM (
  SELECT 'a and b' AS operation, v FROM (SELECT v FROM a WHERE v < << below >> OR v IS NULL INTERSECT ALL SELECT v FROM b)
  UNION ALL
  SELECT 'a without b', v FROM (SELECT v FROM a WHERE v < << below >> OR v IS NULL EXCEPT ALL SELECT v FROM b)
  UNION ALL
  SELECT 'b without a', v FROM (SELECT v FROM b EXCEPT ALL SELECT v FROM a WHERE v < << below >> OR v IS NULL)
  UNION ALL
  SELECT 'once', v FROM (SELECT v FROM a WHERE v < << below >> INTERSECT SELECT v FROM b)
)
GROUP BY operation, v
ORDER BY operation, v NULLS LAST
