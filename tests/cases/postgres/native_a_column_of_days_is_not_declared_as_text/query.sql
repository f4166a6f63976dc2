/*---
source: shop
columns: { d: { type: text } }
---*/
SELECT id, d FROM native_a_column_of_days_is_not_declared_as_text.t ORDER BY id -- error: [unsupported-type]
