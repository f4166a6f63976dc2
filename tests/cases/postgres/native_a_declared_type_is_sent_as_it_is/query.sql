/*---
source: shop
---*/
SELECT id, pieces FROM native_a_declared_type_is_sent_as_it_is.orders
WHERE pieces > << above: double >> OR pieces = << exactly: bigint >> OR id IN << ids: bigint[] >> OR placed > now() - << age: interval >>
ORDER BY id
