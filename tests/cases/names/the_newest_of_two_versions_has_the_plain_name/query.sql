/*---
name: totals
version: "2"
---*/
SELECT id, price AS total FROM orders LIMIT 5
