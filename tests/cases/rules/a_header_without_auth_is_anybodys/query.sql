/*---
description: Orders.
params:
  least: { from: claim.least }
  status: { from: header.x-status } # warning: [missing-auth]
---*/
SELECT id FROM orders WHERE status = << status >> AND quantity > << least >>
