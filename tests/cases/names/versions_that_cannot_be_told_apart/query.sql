/*---
# error: [name-collision]
name: totals
version: "2.0"
---*/
SELECT id FROM orders LIMIT 5
