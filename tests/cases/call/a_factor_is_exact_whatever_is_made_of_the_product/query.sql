/*---
description: Factors of decimals, of which the product is used as a double too, and numbers that a CASE chooses.
---*/
WITH t (id, d, w, q) AS (
  VALUES (1, CAST('20.10' AS DECIMAL(10,2)), 1.5, 2), (2, CAST('3.10' AS DECIMAL(10,2)), 3.41, 3)
)
SELECT
  id,
  d * << rate >> AS rated,
  sqrt(d * << rate >>) AS root,
  d * << rate >> = 3.41 AS same,
  d * (1 - << rebate = 0.1 >>) * (1 + << vat >>) AS gross,
  d * CASE WHEN id = 1 THEN 1.1 ELSE 1 END AS chosen,
  d * CASE WHEN id = 1 THEN 1.1 ELSE 1.25 END = 22.11 AS found,
  ifnull(d, 0.25) AS some,
  nvl(d, 0) AS other
FROM t
WHERE d * << rate >> > w
ORDER BY id
