/*---
# error: [unknown-key]
describtion: Orders.
---*/
SELECT id FROM orders LIMIT 5
