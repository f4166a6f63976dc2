/*---
source: shop
---*/
(SELECT id, name FROM native_a_statement_in_brackets_has_pages.t ORDER BY id DESC)
