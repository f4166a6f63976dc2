/*---
source: shop
---*/
SELECT id FROM native_rows_of_mysql_are_not_locked.orders LOCK IN SHARE MODE -- error: [foreign-statement]
