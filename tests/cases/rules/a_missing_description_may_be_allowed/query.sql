/*---
lints: { missing-description: allow }
---*/
SELECT id FROM orders WHERE status = << status >>
