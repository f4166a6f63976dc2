/*---
source: shop
columns: { total: { type: "decimal(12,2)" }, mean: { type: double } }
---*/
SELECT status, sum(total) AS total, avg(total) AS mean, count(*) AS n FROM native_a_declared_column_is_read_so.orders GROUP BY status ORDER BY status
