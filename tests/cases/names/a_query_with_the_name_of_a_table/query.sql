/*---
# error: [name-collision]
name: Orders
---*/
SELECT id FROM customers
