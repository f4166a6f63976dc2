/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [unbounded-change]
DELETE FROM notes
