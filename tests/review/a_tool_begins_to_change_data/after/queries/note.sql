/*---
description: A note.
params: { id: { description: Which. } }
source: app
---*/
UPDATE notes SET stars = stars + 1 WHERE id = << id >> RETURNING id, stars
