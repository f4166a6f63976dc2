/*---
source: shop
---*/
SELECT Sleep(10) AS n -- error: [foreign-statement]
