/*---
description: Finishes a note.
source: app
expect_changes: exactly 1
expose: [dry_run]
lints: { missing-description: allow }
---*/
UPDATE notes SET status = 'done', stars = stars + << stars >> WHERE id = << id >>
