/*---
source: shop
---*/
SELECT OrderId FROM Orders WHERE Status = @status OR Status = :other -- error: [raw-placeholder]
