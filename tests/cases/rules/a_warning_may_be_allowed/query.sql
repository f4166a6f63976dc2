/*---
lints: { unnamed-column: allow }
---*/
SELECT id, quantity + 1
FROM orders
