/*---
description: Names a note.
source: app
lints: { missing-description: allow }
---*/
UPDATE notes SET title = << title >> WHERE id = << id >>
