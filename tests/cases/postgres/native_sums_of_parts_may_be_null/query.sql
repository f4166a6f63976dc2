/*---
source: shop
---*/
SELECT id, status, count(*) AS n FROM native_sums_of_parts_may_be_null.orders GROUP BY ROLLUP (id, status) ORDER BY id LIMIT 2
