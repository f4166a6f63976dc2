/*---
description: Something.
source: app
# error: [invalid-setting]
expect_changes: at least 2
lints: { missing-description: allow }
---*/
DELETE FROM notes WHERE id = << id >>
