/*---
description: Something.
source: app
# error: [invalid-yaml]
max_changes: [1
---*/
UPDATE notes SET stars = 0 WHERE id = << id >>
