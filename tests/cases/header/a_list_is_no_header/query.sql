/*---
# error: [invalid-value]
- description: Orders.
---*/
SELECT id FROM orders
