/*---
description: Orders of the caller of several.
params: { orgs: { from: claim.orgs } }
---*/
SELECT id FROM orders WHERE org IN << orgs >> ORDER BY id
