/*---
description: Moves the notes on flights of a day to another topic. `dry_run` shows which they are.
source: notes
max_changes: 20
expose: [table_format, dry_run]
params:
  date: { description: Day of departure. }
  topic: { description: What the notes are about now. }
  new_topic: { description: What they are about then. }
---*/
UPDATE notes SET topic = << new_topic >> WHERE date = << date >> AND topic = << topic >>
RETURNING id, topic
