/*---
description: Something.
source: app
max_changes: 500
lints: { missing-description: allow }
---*/
-- error: [unbounded-change]
UPDATE notes SET stars = 0 WHERE id = coalesce(<< id?: bigint >>, id)
