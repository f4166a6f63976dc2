/*---
source: shop
result_limit: 4
---*/
SELECT OrderId FROM Orders ORDER BY OrderId LIMIT 3 OFFSET 1 -- the last line
