/*---
source: shop
timeout: 400ms
columns: { most: { type: bigint } }
---*/
WITH RECURSIVE numbers(n) AS (SELECT << first: bigint >> UNION ALL SELECT n + 1 FROM numbers)
SELECT max(n) AS most FROM numbers
