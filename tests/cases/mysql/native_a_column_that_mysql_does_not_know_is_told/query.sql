/*---
source: shop
---*/
SELECT customr FROM native_a_column_that_mysql_does_not_know_is_told.orders -- error: [foreign-statement]
