/*---
description: Closes what was to be done before a moment.
source: todo
max_changes: 9
params:
  at: { description: The moment. }
---*/
UPDATE todo SET done = true WHERE at < << at >>
