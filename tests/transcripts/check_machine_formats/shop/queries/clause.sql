/*---
description: Orders, of one status or of all.
params:
  status: { description: The status. }
---*/
SELECT id
FROM orders
WHERE [[ AND status = << status >> ]]
ORDER BY id
