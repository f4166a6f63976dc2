/*---
description: Adds a note.
source: app
lints: { missing-description: allow }
---*/
INSERT INTO notes (title, body, status, due) VALUES (<< title >>, << body >>, << status >>, << due >>)
RETURNING id, title, status
