/*---
description: Decimals of 32, 64, 128 and 256 bits beside whole numbers and numbers with a point.
---*/
WITH files AS (SELECT 'arrow' AS file, * FROM m UNION ALL SELECT 'parquet' AS file, * FROM mp)
SELECT
  file,
  id,
  d32 * 2 AS twice,
  d64 + 1 AS more,
  d32 % 1 AS rest,
  d256 * 1.1 AS gross,
  d32 * 1.1 AS of_few,
  d32 = d128 AND d64 = d256 AS same,
  d32 IN (2, 20) AS is_whole,
  d32 * << n = 3 >> AS times,
  coalesce(d64, 0) AS some,
  items[1] * 2 AS item,
  pair['a'] * 100 AS cents,
  sum(d32 * 2) OVER (PARTITION BY file) AS total
FROM files
WHERE true
  [[ AND d32 = << price >> AND d256 = << price >> ]]
ORDER BY file, id
