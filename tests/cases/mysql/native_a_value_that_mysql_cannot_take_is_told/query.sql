/*---
source: shop
---*/
SELECT 10 / << by: int >> AS n, CAST(<< at: text >> AS DATE) AS day, 9223372036854775807 + << by >> AS sum
