/*---
source: shop
---*/
SELECT id, d, z, n FROM native_days_that_tables_have_as_texts.t WHERE id = 1 ORDER BY id
