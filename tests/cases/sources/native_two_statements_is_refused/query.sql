/*---
source: shop
---*/
SELECT 1 AS one; SELECT 2 AS two -- error: [foreign-statement]
