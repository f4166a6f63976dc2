/*---
description: Something.
source: app
max_changes: 500
lints: { missing-description: allow }
---*/
-- error: [not-writable]
UPDATE open_notes SET title = << title >> WHERE id = << id >>
