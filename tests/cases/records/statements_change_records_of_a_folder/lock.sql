/*---
description: Locks a thing.
source: todo
params:
  id: { description: Which. }
  locked: { description: By whom. }
---*/
UPDATE todo SET locked = << locked >> WHERE id = << id >>
