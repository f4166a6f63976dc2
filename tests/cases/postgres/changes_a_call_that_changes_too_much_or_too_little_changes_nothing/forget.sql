/*---
description: Forgets notes with so many stars.
source: app
max_changes: 2
expose: [dry_run]
lints: { missing-description: allow }
---*/
DELETE FROM changes_a_call_that_changes_too_much_or_too_little_changes_n.notes WHERE stars >= << stars >> [[ AND title = << title >> ]]
