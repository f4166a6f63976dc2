/*---
# error: [name-collision]
name: late-orders
---*/
SELECT id FROM orders
