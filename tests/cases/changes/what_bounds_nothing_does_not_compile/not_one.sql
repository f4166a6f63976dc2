/*---
description: Something.
source: app
max_changes: 500
lints: { missing-description: allow }
---*/
-- error: [unbounded-change]
DELETE FROM notes WHERE id <> << id >>
