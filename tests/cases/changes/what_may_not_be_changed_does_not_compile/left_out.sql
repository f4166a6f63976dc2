/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [foreign-statement]
INSERT INTO notes (body) VALUES (<< body >>)
