/*---
source: shop
---*/
-- That it may do more than read is said by the server: no list has it.
SELECT gen_random_uuid() AS id, random() AS n, pg_catalog.brin_summarize_new_values(NULL::regclass) AS done -- error: [foreign-statement]
