/*---
description: Adds things to do.
source: todo
max_changes: 3
expose: [dry_run, table_format]
params:
  rows: { description: The things. }
---*/
INSERT INTO records_stated.todo (id, title, prio, stars) VALUES << rows >>
RETURNING id, title, prio
