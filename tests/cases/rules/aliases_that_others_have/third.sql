/*---
# error: [name-collision]
aliases: [Old]
---*/
SELECT id FROM orders LIMIT 5
