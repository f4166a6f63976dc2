/*---
description: Notes.
params:
  rows: { description: The notes. }
  rows.title: { max_length: 20 }
  rows.stars: { minimum: 1 }
source: app
max_changes: 20
---*/
INSERT INTO notes (title, body, stars) VALUES << rows >>
