/*---
description: Numbers with a point beside a decimal.
---*/
SELECT
  amount * 1.1 AS product,
  -0.5 * amount * 3 AS negative,
  amount * (1 - 0.05) AS calculated,
  100.0 * amount AS whole,
  amount + 0.125 AS sum,
  amount % 0.3 AS rest,
  sum(amount) OVER () * 1.5 AS all_of_it,
  coalesce(amount, 0.0) AS some,
  CASE WHEN id > 1 THEN amount ELSE 0.125 END AS one,
  amount / 1.1 AS quotient,
  medium * 1.1 AS of_integers,
  dbl * 1.1 AS of_doubles,
  amount * 1.1 * dbl AS of_both,
  amount * 0.1234567890123456 AS too_long
FROM types
