/*---
description: Something.
source: app
# error: [invalid-setting]
expose: [limit, cursor]
lints: { missing-description: allow }
---*/
DELETE FROM notes WHERE id = << id >> RETURNING id
