/*---
lints: { null-comparison: allow }
---*/
SELECT id FROM orders WHERE status = << status? >>
