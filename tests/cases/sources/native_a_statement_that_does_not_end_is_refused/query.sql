/*---
source: shop
---*/
SELECT OrderId FROM -- error: [foreign-statement]
