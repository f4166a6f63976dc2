/*---
description: Sums over frames; PostgreSQL refuses such distances as well.
---*/
WITH t (id, day, x) AS (VALUES (1, date '2024-01-01', 1.5e0), (2, date '2024-01-02', 2.5e0))
SELECT id,
  sum(id) OVER (ORDER BY day RANGE BETWEEN << back: interval >> PRECEDING AND CURRENT ROW) AS days,
  sum(id) OVER (ORDER BY x RANGE BETWEEN << near = 0 >> PRECEDING AND CURRENT ROW) AS numbers
FROM t
ORDER BY id
