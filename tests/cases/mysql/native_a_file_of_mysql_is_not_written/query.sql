/*---
source: shop
---*/
SELECT id FROM native_a_file_of_mysql_is_not_written.orders INTO OUTFILE '/tmp/x' -- error: [foreign-statement]
