/*---
description: Finishes a note.
source: app
expect_changes: exactly 1
expose: [dry_run]
lints: { missing-description: allow }
---*/
UPDATE changes_a_call_that_changes_too_much_or_too_little_changes_n.notes SET status = 'done', stars = stars + << stars >> WHERE id = << id >>
