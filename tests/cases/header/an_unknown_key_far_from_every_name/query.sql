/*---
# error: [unknown-key]
colour: red
---*/
SELECT id FROM orders
