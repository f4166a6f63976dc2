/*---
description: Days beyond the last nanosecond, beside days and points in time.
---*/
WITH t (id, day, other, at) AS (
  VALUES (1, DATE '9999-12-31', DATE '2500-01-01', TIMESTAMP '2024-06-30 12:00:00'),
         (2, DATE '2024-06-30', DATE '9999-12-31', TIMESTAMP '2024-06-30 00:00:00'),
         (3, DATE '0001-01-01', DATE '0002-01-01', TIMESTAMP '2024-06-30 00:00:00')
)
SELECT
  id,
  day BETWEEN at AND DATE '2500-01-01' AS between_them,
  day NOT BETWEEN at AND other AS not_between,
  day IN (at, other) AS found,
  day NOT IN (at, other) AS not_found,
  CAST(day AS timestamp) = CAST(other AS timestamp) AS same,
  CAST(day AS timestamp) < CAST(other AS timestamp) AS earlier,
  day > at AS later
FROM t
ORDER BY id
