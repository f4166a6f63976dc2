/*---
source: shop
---*/
WITH o AS (SELECT 1) DELETE FROM native_a_statement_of_mysql_that_writes_is_refused.orders -- error: [foreign-statement]
