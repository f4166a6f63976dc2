/*---
description: Forgets notes with so many stars.
source: app
max_changes: 2
expose: [dry_run]
lints: { missing-description: allow }
---*/
DELETE FROM notes WHERE stars >= << stars >> [[ AND title = << title >> ]]
