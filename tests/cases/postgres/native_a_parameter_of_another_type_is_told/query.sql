/*---
source: shop
---*/
SELECT id FROM native_a_parameter_of_another_type_is_told.orders WHERE id = << id: text >> -- error: [conflicting-types]
