/*---
description: Decimals beside doubles that no decimal holds.
---*/
WITH t (id, d, f) AS (
  VALUES
    (1, CAST('1.50' AS DECIMAL(10,2)), CAST('1.5' AS DOUBLE)),
    (2, CAST('2.00' AS DECIMAL(10,2)), CAST('NaN' AS DOUBLE)),
    (3, CAST('99999999.99' AS DECIMAL(10,2)), CAST('1e30' AS DOUBLE)),
    (4, CAST('0.00' AS DECIMAL(10,2)), CAST('1e-20' AS DOUBLE)),
    (5, CAST('0.10' AS DECIMAL(10,2)), CAST('-Infinity' AS DOUBLE)),
    (6, CAST(NULL AS DECIMAL(10,2)), CAST('0.1' AS DOUBLE))
)
SELECT
  id,
  d = f AS same,
  d < CAST(f AS REAL) AS less,
  f BETWEEN d AND d AS between_them,
  d IN (f, 0.1) AS found,
  d IS DISTINCT FROM f AS differs,
  CASE WHEN id > 3 THEN d ELSE f END AS one,
  greatest(d, f) AS more,
  coalesce(d, f) AS some,
  coalesce(d, 0.1) AS exact,
  d >= << least: double >> AS least
FROM t
ORDER BY id
