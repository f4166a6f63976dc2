/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
UPDATE notes SET stars = << stars: text >> WHERE id = << stars >>
