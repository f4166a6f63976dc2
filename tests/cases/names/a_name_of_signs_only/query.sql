/*---
# error: [invalid-name]
name: "!?"
---*/
SELECT id FROM orders
