/*---
description: Gives a thing another title, or none.
source: todo
expect_changes: exactly 1
params:
  id: { description: Which. }
  title: { description: What it is., required: true }
---*/
UPDATE todo SET title = nullif(<< title >>, 'none') WHERE id = << id >>
