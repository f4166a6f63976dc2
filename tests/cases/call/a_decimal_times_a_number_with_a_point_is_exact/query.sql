/*---
description: Decimals and numbers with a point, which no double holds.
---*/
WITH t (id, d) AS (
  VALUES (1, CAST('20.10' AS DECIMAL(10,2))), (2, CAST('3.10' AS DECIMAL(10,2))), (3, CAST('-0.30' AS DECIMAL(10,2))), (4, NULL)
), made AS (
  SELECT id, d, d * 1.1 AS gross FROM t
)
SELECT
  id,
  gross,
  d * 1.1 = 22.11 AS found,
  gross - 0.01 AS less,
  coalesce(d, 0.5) AS some,
  CASE WHEN id < 3 THEN d ELSE 0.125 END AS one,
  d % 0.7 AS rest,
  d * << rate >> AS rated,
  d * << rate >> = d * 1.1 AS same,
  EXISTS (SELECT 1 FROM t AS other WHERE other.d * 1.1 = made.gross) AS seen
FROM made
ORDER BY id
