/*---
description: Orders of a status.
params:
  status: { description: The status }
---*/
SELECT id, total
FROM o
WHERE status = << status >>
ORDER BY id
