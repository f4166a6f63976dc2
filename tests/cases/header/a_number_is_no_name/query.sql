/*---
# error: [invalid-value]
name: 2024
---*/
SELECT id FROM orders
