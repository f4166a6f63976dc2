/*---
description: Something.
source: app
max_changes: 5
lints: { missing-description: allow }
---*/
-- error: [unbounded-change]
UPDATE notes SET stars = 0 WHERE stars > 1 [[ AND id = << id >> ]]
