/*---
source: shop
---*/
SELECT name FROM pragma_table_list -- error: [foreign-statement]
