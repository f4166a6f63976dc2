/*---
source: shop
---*/
SELECT id FROM native_a_function_that_runs_texts_is_refused.orders WHERE EXISTS (SELECT query_to_xml('DELETE FROM x', true, false, '')) -- error: [foreign-statement]
