/*---
description: Adds a note.
source: app
---*/
INSERT INTO Notes (title, stars) VALUES (<< title >>, << stars >>)
RETURNING NoteId, stars
