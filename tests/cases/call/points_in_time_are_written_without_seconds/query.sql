/*---
description: Texts without seconds that are cast to points in time.
---*/
SELECT
  TIMESTAMP '2024-06-30 12:00' AS typed,
  '2024-06-30T9:05'::timestamp AS short,
  CAST('2024-06-30 12:00' AS timestamp(3)) AS digits,
  TRY_CAST('2024-06-30 12:00' AS timestamp) AS tried,
  TRY_CAST('2024-06-30 25:00' AS timestamp) AS none,
  TIMESTAMPTZ '2024-06-30 12:00' AS instant,
  TIMESTAMP '2024-06-30 12:00' = TIMESTAMP '2024-06-30 12:00:00' AS same
WHERE TIMESTAMP '2024-06-30 12:00' < << at: timestamp >>
