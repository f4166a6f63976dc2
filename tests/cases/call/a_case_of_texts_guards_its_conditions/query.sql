/*---
description: Cases of written results, and conditions with a quotient.
---*/
WITH t (id, a, b) AS (VALUES (1, 6, 0), (2, 6, 1), (3, 8, 1), (4, NULL, 2))
SELECT
  id,
  CASE WHEN b = 0 THEN 'x' WHEN a / b > 6 THEN 'y' ELSE 'z' END AS kind,
  coalesce(a / nullif(b, 0) > 7, b > 1, false) AS x
FROM t
WHERE CASE WHEN b = 0 THEN 'x' WHEN a / b > 6 THEN 'y' ELSE 'z' END = << kind >>
  OR CASE WHEN b = 0 THEN 'x' WHEN a / b > 6 THEN 'y' ELSE 'z' END = 'z'
  OR CASE WHEN b = 0 THEN 0 WHEN a / b > 1 THEN 1 ELSE 2 END IN (1)
ORDER BY id
