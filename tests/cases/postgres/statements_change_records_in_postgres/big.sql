/*---
description: Gives a thing a share that is no number.
source: todo
params:
  id: { description: Which. }
---*/
UPDATE records_stated.todo SET share = 'NaN' WHERE id = << id >>
