/*---
result_limit: none
lints: { unbounded-result: allow }
---*/
SELECT id FROM orders
