/*---
source: shop
columns: { n: { type: date } }
---*/
SELECT status, count(*) AS n FROM native_a_declared_column_that_does_not_fit_is_told.orders GROUP BY status -- error: [unsupported-type]
