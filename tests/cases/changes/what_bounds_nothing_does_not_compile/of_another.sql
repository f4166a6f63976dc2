/*---
description: Something.
source: app
max_changes: 500
lints: { missing-description: allow }
---*/
-- error: [unbounded-change]
UPDATE notes AS n SET stars = 0 FROM tags AS t WHERE t.note = << note >>
