/*---
source: shop
params: { by: { choices: { slow: pg_sleep(id), fast: id } } } # error: [foreign-statement]
---*/
SELECT id FROM native_a_function_that_waits_is_refused.orders ORDER BY << by >>
