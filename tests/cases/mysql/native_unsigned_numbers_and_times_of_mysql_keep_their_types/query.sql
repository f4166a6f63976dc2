/*---
source: shop
---*/
SELECT id, big, MAX(big) OVER () AS most, hired, CAST(hired AS CHAR) AS written
FROM native_unsigned_numbers_and_times_of_mysql_keep_their_types.t WHERE big >= << least >> ORDER BY id
