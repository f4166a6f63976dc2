/*---
description: Something.
source: app
max_changes: 500
params: { id: { fixed: 3 } }
lints: { missing-description: allow }
---*/
-- error: [unbounded-change]
DELETE FROM notes WHERE id = << id >>
