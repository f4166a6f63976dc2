/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [not-writable]
DELETE FROM tags WHERE note = << note >> AND tag = << tag >>
