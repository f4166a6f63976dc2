/*---
description: Something.
source: app
max_changes: 500
lints: { missing-description: allow }
---*/
-- error: [unbounded-change]
DELETE FROM notes WHERE EXISTS (SELECT 1 FROM tags WHERE tag = << tag >>)
