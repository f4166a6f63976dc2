/*---
description: Says when a thing is due, and what it is tagged with.
source: todo
params:
  id: { description: Which. }
  due: { description: When. }
  tags: { description: The tags. }
---*/
UPDATE records_stated.todo SET due = << due >>, tags = << tags >> WHERE id = << id >>
