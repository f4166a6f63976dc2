/*---
name: totals
version: "2"
---*/
SELECT id FROM orders LIMIT 5
