/*---
source: shop
---*/
((SELECT id, name FROM native_a_statement_in_brackets_has_its_own_limit.t ORDER BY id DESC LIMIT 2))
