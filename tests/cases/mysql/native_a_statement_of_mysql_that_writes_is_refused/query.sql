/*---
source: shop
---*/
-- error: [not-writable]
DELETE FROM native_a_statement_of_mysql_that_writes_is_refused.orders -- error: [unbounded-change]
