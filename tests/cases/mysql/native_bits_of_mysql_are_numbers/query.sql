/*---
source: shop
---*/
SELECT id, flags FROM native_bits_of_mysql_are_numbers.t WHERE one = << one >> AND flags = << flags: bigint >>
