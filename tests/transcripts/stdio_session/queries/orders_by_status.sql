/*---
description: Orders of one status.
params:
  status: { description: The status. }
---*/
SELECT id, total, status || ' | ' || id AS label FROM orders
WHERE status = << status >>
