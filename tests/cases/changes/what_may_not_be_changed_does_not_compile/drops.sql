/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [foreign-statement]
DELETE FROM notes WHERE id = << id >>; DROP TABLE notes
