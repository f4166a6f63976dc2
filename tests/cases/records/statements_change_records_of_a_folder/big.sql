/*---
description: Gives a thing a share that is no number.
source: todo
params:
  id: { description: Which. }
---*/
UPDATE todo SET share = 9e999 WHERE id = << id >>
