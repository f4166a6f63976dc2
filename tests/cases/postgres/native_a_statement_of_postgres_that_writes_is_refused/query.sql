/*---
source: shop
---*/
WITH gone AS (DELETE FROM native_a_statement_of_postgres_that_writes_is_refused.orders RETURNING id) SELECT id FROM gone -- error: [foreign-statement]
