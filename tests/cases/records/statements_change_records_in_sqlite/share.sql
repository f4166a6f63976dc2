/*---
description: Shares a thing.
source: todo
params:
  id: { description: Which. }
  shared: { description: With whom. }
---*/
UPDATE todo SET shared = << shared >> WHERE id = << id >>
