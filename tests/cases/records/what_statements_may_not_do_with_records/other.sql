/*---
description: Writes another table.
source: todo
params: { id: { description: Which. } }
---*/
DELETE FROM todos WHERE id = << id >> -- error: [foreign-statement] error: [not-writable]
