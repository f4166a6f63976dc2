/*---
description: The orders of the caller.
scopes: [orders.read]
params: { tenant: { from: claim.tenant_id } }
---*/
SELECT id, status FROM orders WHERE tenant = << tenant >> ORDER BY id
