/*---
description: Removes a thing, when somebody agrees.
source: todo
confirm: true
params:
  id: { description: Which. }
---*/
DELETE FROM todo WHERE id = << id >>
