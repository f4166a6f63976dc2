/*---
source: shop
result_limit: 2
---*/
SELECT OrderId, Line, Product FROM "Order Details" ORDER BY OrderId DESC, Line
