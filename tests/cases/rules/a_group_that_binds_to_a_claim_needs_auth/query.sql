/*---
description: Orders.
params_from: own
---*/
SELECT id FROM orders WHERE status = << status >>
