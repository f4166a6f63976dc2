/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [unbounded-change]
UPDATE notes AS n SET stars = 0 FROM tags AS t WHERE t.note = << note >> AND t.tag = 'x' AND n.title = << title >>
