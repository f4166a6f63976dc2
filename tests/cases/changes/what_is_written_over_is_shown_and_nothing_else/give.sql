/*---
description: Puts values, and gives some of what is there then.
source: app
max_changes: 5
expose: [dry_run, table_format]
columns: { twice: { type: bigint } }
lints: { missing-description: allow }
---*/
INSERT INTO kv (k, tenant, v) VALUES << rows >>
ON CONFLICT (k) DO UPDATE SET v = excluded.v
RETURNING v * 2 AS twice, k
