/*---
description: Gives a thing stars that are no number.
source: todo
params:
  id: { description: Which. }
---*/
UPDATE todo SET stars = 'many' WHERE id = << id >>
