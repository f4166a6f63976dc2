/*---
source: shop
---*/
SELECT OrderId FROM Orders WHERE abs(Total) > << least >> -- error: [cannot-infer-type]
