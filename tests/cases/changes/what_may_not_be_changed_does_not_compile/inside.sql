/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [foreign-statement]
WITH gone AS (DELETE FROM notes WHERE id = << id >> RETURNING id) SELECT id FROM gone
