/*---
# error: [unknown-key]
Description: Orders.
---*/
SELECT id FROM orders
