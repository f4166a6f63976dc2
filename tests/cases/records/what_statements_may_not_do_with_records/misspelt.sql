/*---
description: Writes what is not there.
source: todo
params: { id: { description: Which. } }
---*/
UPDATE todo SET titel = 'x' WHERE id = << id >> -- error: [foreign-statement] error: [not-writable]
