/*---
description: Adds notes, or says anew how many stars they have.
source: app
max_changes: 3
expose: [dry_run, table_format]
params: { rows: { description: The notes., max_items: 2 } }
---*/
INSERT INTO notes (title, stars) VALUES << rows: struct(title text, stars int)[] >>
ON CONFLICT (title) DO UPDATE SET stars = excluded.stars
RETURNING title, status, stars
