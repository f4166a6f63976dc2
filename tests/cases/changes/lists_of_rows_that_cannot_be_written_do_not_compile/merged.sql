/*---
description: Something.
source: app
max_changes: 3
---*/
-- error: [foreign-statement]
INSERT INTO notes (title) SELECT title FROM notes WHERE id = << id >> UNION ALL VALUES << rows >>
