/*---
source: shop
---*/
SELECT @n AS n FROM native_a_variable_of_mysql_is_refused.orders -- error: [raw-placeholder]
