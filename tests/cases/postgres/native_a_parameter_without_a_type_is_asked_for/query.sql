/*---
source: shop
---*/
SELECT id FROM native_a_parameter_without_a_type_is_asked_for.orders WHERE << which >> IS NOT NULL -- error: [cannot-infer-type]
