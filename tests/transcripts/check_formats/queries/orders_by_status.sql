/*---
description: Orders of one status.
params:
  status: { description: The status. }
---*/
SELECT id, total FROM orders
WHERE statuss = << status >>
