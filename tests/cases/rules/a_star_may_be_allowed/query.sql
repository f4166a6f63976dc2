/*---
lints: { select-star: allow }
---*/
SELECT * FROM orders
