/*---
source: shop # error: [unreadable-source]
---*/
SELECT OrderId FROM Orders
