/*---
# error: [invalid-name]
name: "2024"
---*/
SELECT id FROM orders
