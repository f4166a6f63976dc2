/*---
description: Adds documents.
source: app
max_changes: 5
expose: [dry_run]
lints: { missing-description: allow }
params: { rows.size: { type: json } }
---*/
INSERT INTO docs (state, kind, size, body, at) VALUES << rows >>
