/*---
description: Takes a number for a text.
source: todo
params: { id: { description: Which., type: int } }
---*/
DELETE FROM todo WHERE id = << id >> -- error: [conflicting-types]
