/*---
description: A note.
params: { id: { description: Which. } }
source: app
max_changes: 20
isolation: read committed
---*/
UPDATE notes SET stars = 0, body = NULL WHERE id = << id >>;
DELETE FROM tags WHERE note = << id >>
