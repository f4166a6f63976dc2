/*---
source: shop
---*/
SELECT id, home, inside AS within FROM native_a_column_of_a_foreign_type_is_told.places -- error: [unsupported-type]
