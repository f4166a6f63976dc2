/*---
source: shop
---*/
SELECT sql FROM sqlite_master -- error: [foreign-statement]
