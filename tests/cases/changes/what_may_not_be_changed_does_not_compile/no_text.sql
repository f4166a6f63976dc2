/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [syntax-error]
UPDATE notes SET title = << title >> WHERE
