/*---
description: Removes things with few stars.
source: todo
max_changes: 2
params:
  below: { description: Fewer than these. }
---*/
DELETE FROM todo WHERE stars < << below >>
