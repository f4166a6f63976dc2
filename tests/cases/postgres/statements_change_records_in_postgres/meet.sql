/*---
description: Says when a thing is done.
source: todo
params:
  id: { description: Which. }
  at: { description: When. }
---*/
UPDATE records_stated.todo SET at = << at >> WHERE id = << id >>
