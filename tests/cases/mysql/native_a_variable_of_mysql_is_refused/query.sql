/*---
source: shop
---*/
SELECT @n := @n + id AS n FROM native_a_variable_of_mysql_is_refused.orders -- error: [foreign-statement]
