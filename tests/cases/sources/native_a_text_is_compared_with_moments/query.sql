/*---
source: shop
---*/
SELECT OrderId, Placed FROM Orders WHERE Placed >= << since: text >> [[ AND Placed < << until: timestamp >> ]] ORDER BY OrderId
