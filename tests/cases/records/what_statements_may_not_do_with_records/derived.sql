/*---
description: Writes what is derived.
source: todo
params: { id: { description: Which. } }
---*/
UPDATE todo SET summary = 'x' WHERE id = << id >> -- error: [not-writable]
