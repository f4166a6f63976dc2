/*---
description: Something.
source: app
max_changes: 5
lints: { missing-description: allow }
---*/
DELETE FROM tags WHERE note IN << notes >>
