/*---
description: Puts values of one tenant.
source: app
max_changes: 5
expose: [dry_run]
lints: { missing-description: allow }
params: { rows.tenant: { fixed: acme } }
---*/
INSERT INTO kv (k, tenant, v, note) VALUES << rows >>
ON CONFLICT (k) DO UPDATE SET v = excluded.v, note = excluded.note WHERE kv.tenant = excluded.tenant
