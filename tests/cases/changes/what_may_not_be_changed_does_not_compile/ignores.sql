/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [foreign-statement]
INSERT OR IGNORE INTO notes (id, title) VALUES (<< id >>, << title >>)
