/*---
source: shop
---*/
SELECT OrderId FROM Orders
WHERE Due >= << due: date >> [[ AND Placed < << before: timestamp >> ]] [[ AND time(Placed) > << at: time >> ]] [[ AND datetime(Placed) < datetime(<< until: timestamptz >>) ]]
ORDER BY OrderId
