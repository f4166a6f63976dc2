/*---
description: Rows that are compared with a row, some of them without a value.
---*/
WITH t (id, num, k, d) AS (
  VALUES (1, 10, 2, CAST('1.10' AS DECIMAL(4,2))), (2, 10, NULL, 1.5), (3, NULL, 0, 2.5), (4, 9, NULL, NULL), (5, 11, 1, 0.5), (6, 10, 3, 1.1)
)
SELECT
  id,
  (num, k) < (<< num >>, << k >>) AS less,
  (num, k) <= (<< num >>, << k >>) AS at_most,
  (num, k) > (<< num >>, << k >>) AS more,
  (num, k) >= (<< num >>, << k >>) AS at_least,
  (num, k, id) < (10, 3, 6) AS of_three
FROM t
ORDER BY id
