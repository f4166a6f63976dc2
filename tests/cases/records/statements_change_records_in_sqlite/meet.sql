/*---
description: Says when a thing is done.
source: todo
params:
  id: { description: Which. }
  at: { description: When. }
---*/
UPDATE todo SET at = << at >> WHERE id = << id >>
