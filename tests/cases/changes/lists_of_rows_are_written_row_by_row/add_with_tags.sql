/*---
description: Adds a note with its tags.
source: app
max_changes: 4
params:
  tags: { description: The tags. }
  tags.note: { fixed: 40 }
  title: { description: What it is about. }
---*/
INSERT INTO notes (id, title) VALUES (40, << title >>);
INSERT INTO tags (note, tag) VALUES << tags >>
