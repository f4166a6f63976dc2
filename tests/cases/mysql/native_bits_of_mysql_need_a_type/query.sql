/*---
source: shop
---*/
SELECT id FROM native_bits_of_mysql_need_a_type.t
-- error: [cannot-infer-type]
WHERE one = << one >> AND flags = << flags >>
