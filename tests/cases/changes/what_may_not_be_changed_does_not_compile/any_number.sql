/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [unbounded-change]
UPDATE notes SET stars = 0 WHERE title LIKE << title >>
