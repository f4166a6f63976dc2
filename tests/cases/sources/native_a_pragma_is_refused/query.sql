/*---
source: shop
---*/
PRAGMA table_list -- error: [foreign-statement]
