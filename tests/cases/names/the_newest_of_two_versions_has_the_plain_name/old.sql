/*---
name: totals
version: "1.9"
---*/
SELECT id FROM orders LIMIT 5
