/*---
description: Closes.
source: app
lints: { missing-description: allow }
---*/
-- error: [not-writable]
UPDATE notes SET statu = 'done', status = 'done' WHERE id = << id >> -- error: [foreign-statement]
