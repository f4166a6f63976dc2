/*---
description: A large number, NaN and an infinity spoil no frame that they are not in.
---*/
WITH t (id, v, w) AS (
  VALUES (1, 1e20, 1e0), (2, 1e0, 2e0), (3, 1e0, 3e0), (4, 5e0, 4e0), (5, 7e0, 6e0),
    (6, 'NaN'::double, 1e0), (7, 2e0, 'inf'::double), (8, 4e0, 3e0), (9, NULL, 5e0), (10, 1e0, 2e0), (11, 3e0, 6e0)
)
SELECT
  id,
  sum(v) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS sum_of_rows,
  sum(v) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS sum_of_range,
  sum(v) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS sum_of_groups,
  avg(v) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) AS avg_ahead,
  round(var_pop(v) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), 6) AS var,
  round(stddev(v) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), 6) AS dev,
  round(covar_pop(v, w) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), 6) AS covar,
  round(corr(v, w) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), 6) AS corr,
  round(regr_slope(v, w) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), 6) AS slope
FROM t
WHERE id <= << last: bigint >>
ORDER BY id
