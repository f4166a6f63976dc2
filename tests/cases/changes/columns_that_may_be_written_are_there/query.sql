/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
UPDATE notes SET stars = << stars >> WHERE id = << id >> RETURNING id, title, body, stars
