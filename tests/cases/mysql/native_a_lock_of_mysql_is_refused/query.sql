/*---
source: shop
---*/
SELECT GET_LOCK('x', 10) AS n -- error: [foreign-statement]
