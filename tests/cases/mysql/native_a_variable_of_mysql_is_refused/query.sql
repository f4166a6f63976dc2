/*---
source: shop
---*/
SELECT id FROM native_a_variable_of_mysql_is_refused.orders WHERE customer LIKE @n -- error: [raw-placeholder]
