/*---
description: Quotients with decimals in them, as DuckDB has them.
---*/
WITH t (id, d, e, n) AS (
  VALUES (1, CAST('20.10' AS DECIMAL(10,2)), CAST('7' AS DECIMAL(10,0)), 1000000000),
         (2, CAST('1.15' AS DECIMAL(10,2)), CAST('3' AS DECIMAL(10,0)), 7),
         (3, NULL, CAST('-420.81' AS DECIMAL(10,2)), NULL)
)
SELECT
  id,
  d / n AS small,
  d / n > 0 AS positive,
  1 / (d / n) AS back,
  d / e AS of_both,
  1 / e AS inverse,
  d * 100 / 119 AS net,
  d / << parts >> AS part,
  << of >> / e AS parts,
  round(d / 3, 2) AS third
FROM t
ORDER BY id
