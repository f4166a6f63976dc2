/*---
source: shop
---*/
SELECT id, name FROM native_a_placeholder_stands_for_no_name.t
-- error: [invalid-placeholder]
WHERE name COLLATE << words: text >> = 'ann'
