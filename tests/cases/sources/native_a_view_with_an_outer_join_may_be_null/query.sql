/*---
source: shop
---*/
SELECT OrderId, Name FROM Open ORDER BY Name, OrderId
