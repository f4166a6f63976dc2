/*---
source: shop
---*/
SELECT id FROM native_a_table_that_the_server_does_not_know_is_told.order -- error: [foreign-statement]
