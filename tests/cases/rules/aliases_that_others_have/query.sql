/*---
# error: [name-collision]
# error: [name-collision]
# error: [invalid-setting]
# error: [invalid-name]
aliases: [other, Orders, query, 1st]
---*/
SELECT id FROM orders LIMIT 5
