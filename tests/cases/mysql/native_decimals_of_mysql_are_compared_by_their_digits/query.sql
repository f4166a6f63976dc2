/*---
source: shop
---*/
SELECT id FROM native_decimals_of_mysql_are_compared_by_their_digits.orders WHERE total = << total: decimal(20,2) >> ORDER BY id
