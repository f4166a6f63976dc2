/*---
source: shop
---*/
SELECT id FROM native_a_procedure_behind_a_query_is_refused.orders WHERE id = << id >> PROCEDURE ANALYSE() -- error: [foreign-statement]
