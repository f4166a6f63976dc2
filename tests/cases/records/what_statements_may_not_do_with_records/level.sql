/*---
description: Sees what others write.
source: todo
isolation: read committed # error: [invalid-setting]
params: { id: { description: Which. } }
---*/
DELETE FROM todo WHERE id = << id >>
