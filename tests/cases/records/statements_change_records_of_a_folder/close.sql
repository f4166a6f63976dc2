/*---
description: Closes a thing.
source: todo
expose: [dry_run]
params:
  id: { description: Which. }
  done: { description: Whether it is done., required: true }
---*/
UPDATE todo SET done = << done >> WHERE id = << id >>
