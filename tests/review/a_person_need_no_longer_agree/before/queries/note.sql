/*---
description: A note.
params: { id: { description: Which. } }
source: app
max_changes: 2
confirm: true
expect_changes: exactly 1
---*/
UPDATE notes SET stars = 0 WHERE id = << id >>
