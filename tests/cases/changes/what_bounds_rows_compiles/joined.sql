/*---
description: Something.
source: app
max_changes: 5
lints: { missing-description: allow }
---*/
DELETE FROM notes WHERE EXISTS (SELECT 1 FROM tags AS t WHERE t.note = notes.id AND t.tag = << tag >>)
