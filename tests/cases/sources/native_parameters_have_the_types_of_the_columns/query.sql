/*---
source: shop
---*/
SELECT OrderId, Total FROM Orders
WHERE Status = << status >> AND "Total" >= << least >> AND Due > << due >> AND Paid IS << paid >> AND CustomerId = << customer >>
ORDER BY OrderId LIMIT << rows >>
