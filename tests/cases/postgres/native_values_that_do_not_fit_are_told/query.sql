/*---
source: shop
---*/
SELECT 10 / << by >> AS n, (<< text >> || E'')::int + id AS m FROM native_values_that_do_not_fit_are_told.orders ORDER BY id LIMIT 1
