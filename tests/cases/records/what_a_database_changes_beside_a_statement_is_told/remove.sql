/*---
description: Removes a thing.
source: todo
params: { id: { description: Which. } }
---*/
DELETE FROM todo WHERE id = << id >>
