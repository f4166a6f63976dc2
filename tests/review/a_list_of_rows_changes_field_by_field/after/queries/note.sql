/*---
description: Notes.
params:
  rows: { description: All the notes., max_items: 10 }
  rows.title: { max_length: 10 }
  rows.stars: { required: true }
source: app
max_changes: 20
---*/
INSERT INTO notes (title, status, stars) VALUES << rows >>
