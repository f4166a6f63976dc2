/*---
source: shop
---*/
SELECT OrderId, typeof(<< least: decimal(20,2) >>) AS sent, Total FROM Orders
WHERE Total >= << least >> ORDER BY OrderId
