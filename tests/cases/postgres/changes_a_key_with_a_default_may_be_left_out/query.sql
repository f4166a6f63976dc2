/*---
description: Puts values.
source: app
max_changes: 5
expose: [dry_run]
lints: { missing-description: allow }
---*/
INSERT INTO changes_a_key_with_a_default_may_be_left_out.kv (k, n, note) VALUES << rows >>
ON CONFLICT (k) DO UPDATE SET n = excluded.n
