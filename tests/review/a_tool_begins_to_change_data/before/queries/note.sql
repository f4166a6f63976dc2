/*---
description: A note.
params: { id: { description: Which. } }
source: app
---*/
SELECT id, stars FROM notes WHERE id = << id >>
