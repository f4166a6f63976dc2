/*---
source: shop
---*/
SELECT OrderId FROM Orders WHERE Total = << totals: double[] >> -- error: [unsupported-type]
