/*---
description: Decimals and doubles in one column, and looked up in each other.
---*/
WITH
  d (v) AS (VALUES (CAST('1.50' AS DECIMAL(10,2))), (CAST('2.00' AS DECIMAL(10,2))), (NULL)),
  f (v) AS (VALUES (CAST('1.5' AS DOUBLE)), (CAST('NaN' AS DOUBLE)), (CAST('1e30' AS DOUBLE)), (NULL))
SELECT 'union' AS what, v FROM (SELECT v FROM d UNION ALL SELECT v FROM f)
UNION ALL
SELECT 'decimals in doubles', v FROM d WHERE v IN (SELECT v FROM f)
UNION ALL
SELECT 'doubles in decimals', v FROM f WHERE v IN (SELECT v FROM d)
UNION ALL
SELECT 'more than any', v FROM f WHERE v > ANY (SELECT v FROM d)
UNION ALL
SELECT 'join', v FROM d JOIN f USING (v)
UNION ALL
SELECT 'intersect', v FROM (SELECT v FROM f INTERSECT SELECT v FROM d)
UNION ALL
SELECT 'except', v FROM (SELECT v FROM d EXCEPT SELECT v FROM f)
UNION ALL
SELECT 'parameter', v FROM d WHERE v >= << least: double >>
ORDER BY what, v NULLS LAST
