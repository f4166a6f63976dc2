/*---
source: shop
---*/
(SELECT id, name FROM native_a_statement_may_begin_with_a_bracket.t WHERE id <= << most >> ORDER BY id LIMIT 1)
UNION ALL
(SELECT id + 10, name FROM native_a_statement_may_begin_with_a_bracket.t WHERE name = << name >>)
ORDER BY id DESC
