/*---
source: shop
---*/
SELECT id FROM native_a_comment_that_mysql_runs_is_refused.orders /*!50000 WHERE id = 2 */ -- error: [foreign-statement]
