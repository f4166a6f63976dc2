/*---
lints: { unordered-limit: allow }
---*/
SELECT id, note FROM orders LIMIT 10
