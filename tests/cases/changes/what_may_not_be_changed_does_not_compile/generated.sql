/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [foreign-statement]
INSERT INTO notes (title, length) VALUES (<< title >>, << length >>)
