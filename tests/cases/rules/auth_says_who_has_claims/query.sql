/*---
description: Orders.
scopes: [orders.read]
params: { status: { from: claim.status }, least: { from: env.LEAST } }
---*/
SELECT id FROM orders WHERE status = << status >> AND quantity > << least >>
