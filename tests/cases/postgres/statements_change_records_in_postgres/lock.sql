/*---
description: Locks a thing.
source: todo
params:
  id: { description: Which. }
  locked: { description: By whom. }
---*/
UPDATE records_stated.todo SET locked = << locked >> WHERE id = << id >>
