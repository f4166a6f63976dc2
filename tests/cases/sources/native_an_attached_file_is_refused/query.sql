/*---
source: shop
---*/
ATTACH 'x.sqlite' AS x -- error: [foreign-statement]
