/*---
description: Something.
source: app
max_changes: 3
# error: [invalid-setting]
confirm: true
params: { rows: { description: Rows. } }
---*/
INSERT INTO notes (title, body) VALUES << rows >> ON CONFLICT DO UPDATE SET body = excluded.body
