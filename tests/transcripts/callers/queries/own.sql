/*---
description: Orders of the caller.
strict: true
params: { org: { from: claim.org.id } }
---*/
SELECT id FROM orders WHERE org = << org >> ORDER BY id
