/*---
description: Something.
source: app
max_changes: 3
params: { dry_run: { description: Rows. } }
---*/
-- error: [reserved-name]
INSERT INTO notes (title) VALUES << dry_run >>
