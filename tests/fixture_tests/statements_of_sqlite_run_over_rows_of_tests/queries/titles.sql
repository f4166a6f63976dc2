/*---
description: The titles of notes.
---*/
SELECT id, title FROM notes ORDER BY id LIMIT 10
