/*---
description: Something.
source: app
max_changes: 3
---*/
-- error: [foreign-statement]
INSERT INTO notes (title, body) VALUES (<< rows >>)
