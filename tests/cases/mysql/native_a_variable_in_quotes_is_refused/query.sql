/*---
source: shop
---*/
SELECT id, @`n` AS a, @'m' AS b FROM native_a_variable_in_quotes_is_refused.orders WHERE id = << id >> -- error: [foreign-statement] error: [foreign-statement]
