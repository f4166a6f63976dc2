/*---
lints: { unordered-limit: allow }
---*/
SELECT id FROM orders LIMIT 3
