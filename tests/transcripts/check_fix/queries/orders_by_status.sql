/*---
descripton: Orders of one status.
params:
  statusName: { description: The status. }
---*/
SELECT id, totl
FROM ordres
WHERE [[ AND status = << statusName >> ]]
ORDER BY id
