/*---
source: shop
params:
  by: { choices: { total: Total, newest: Placed DESC }, default: total }
---*/
SELECT OrderId, Status
FROM Orders
WHERE Status IN << states: text[] >> [[ AND Total > << above: double >> OR OrderId = 1 ]] [[ AND OrderId NOT IN << without: bigint[] >> ]]
ORDER BY << by >>, OrderId
