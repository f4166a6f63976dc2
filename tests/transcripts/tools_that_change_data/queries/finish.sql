/*---
description: Finishes a note.
params: { id: { description: Which. } }
source: app
expect_changes: exactly 1
expose: [dry_run]
---*/
UPDATE notes SET status = 'done' WHERE id = << id >>
