/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [foreign-statement]
REPLACE INTO notes (id, title) VALUES (<< id >>, << title >>)
