/*---
# error: [unknown-key]
descripton: Orders.
---*/
SELECT id FROM orders
