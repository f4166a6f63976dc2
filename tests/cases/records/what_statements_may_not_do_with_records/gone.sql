/*---
description: Is of no records.
source: todoo # error: [unknown-source]
params: { id: { description: Which. } }
---*/
DELETE FROM todo WHERE id = << id >>
