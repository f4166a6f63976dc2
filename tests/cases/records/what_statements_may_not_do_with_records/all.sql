/*---
description: Changes all.
source: todo
max_changes: 9
---*/
UPDATE todo SET stars = 1 -- error: [unbounded-change]
