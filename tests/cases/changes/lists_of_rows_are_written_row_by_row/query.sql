/*---
description: Adds notes.
source: app
max_changes: 3
expose: [dry_run, idempotency_key]
params:
  rows: { description: The notes. }
  rows.title: { description: What it is about., max_length: 12 }
---*/
INSERT INTO notes (title, body, status, due) VALUES << rows >>
