/*---
source: shop
---*/
SELECT load_extension('x') AS x -- error: [foreign-statement]
