/*---
source: shop
---*/
SELECT OrderId, Totl FROM Orders -- error: [foreign-statement]
