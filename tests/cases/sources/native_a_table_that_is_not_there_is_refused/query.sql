/*---
source: shop
---*/
SELECT OrderId FROM Ordres -- error: [foreign-statement]
