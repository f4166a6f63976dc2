/*---
lints: { hand-written-clause: allow }
---*/
SELECT id
FROM orders
WHERE << status? >> IS NULL OR status = << status >>
ORDER BY id
