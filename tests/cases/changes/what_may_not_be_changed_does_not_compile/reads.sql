/*---
description: Something.
# error: [invalid-setting]
max_changes: 3
# error: [invalid-setting]
expect_changes: exactly 1
# error: [invalid-setting]
confirm: true
# error: [invalid-setting]
expose: [dry_run]
lints: { missing-description: allow }
---*/
SELECT id FROM notes WHERE id = << id >>
