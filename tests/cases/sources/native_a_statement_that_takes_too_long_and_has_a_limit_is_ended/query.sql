/*---
source: shop
timeout: 400ms
columns: { n: { type: bigint } }
---*/
WITH RECURSIVE numbers(n) AS (SELECT << first: bigint >> UNION ALL SELECT n + 1 FROM numbers)
SELECT n FROM numbers WHERE n < 0 LIMIT 1000000
