/*---
description: What was done, with what is in notes.
source: app
---*/
SELECT l.what, n.title, n.stars, typeof(n.picture) AS kind, n."due at" AS due
FROM log AS l LEFT JOIN Notes AS n ON n.NoteId = l.note
ORDER BY l.what, n.title
LIMIT 10
