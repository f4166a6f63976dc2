/*---
source: shop
---*/
SELECT OrderId AS id FROM Orders
