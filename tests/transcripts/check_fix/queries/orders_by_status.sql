/*---
descripton: Orders of one status.
params:
  statusName: { description: The status. }
---*/
SELECT id, placedAt
FROM "Orders"
WHERE [[ AND status = << statusName >> ]]
ORDER BY id
