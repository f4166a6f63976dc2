/*---
source: shop
---*/
SELECT id FROM native_a_mistake_in_the_grammar_is_told.orders WHERE id = = << id >> -- error: [foreign-statement]
