/*---
source: shop
---*/
SELECT id FRO native_a_mistake_in_the_grammar_of_mysql_is_told.orders WHERE id = << id: int >> -- error: [foreign-statement]
