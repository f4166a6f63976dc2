/*---
description: Orders.
params: { status: { from: claim.status } } # warning: [missing-auth]
---*/
SELECT id FROM orders WHERE status = << status >>
