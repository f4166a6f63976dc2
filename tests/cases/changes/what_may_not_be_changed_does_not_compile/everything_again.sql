/*---
description: Something.
source: app
max_changes: 5
lints: { missing-description: allow }
---*/
-- error: [unbounded-change]
UPDATE notes SET stars = << stars >> WHERE 1 = 1
