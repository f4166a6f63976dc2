/*---
source: shop
---*/
SELECT id, o.custome FROM native_a_column_that_the_server_does_not_know_is_told.orders AS o -- error: [foreign-statement]
