/*---
source: shop
kind: view # error: [invalid-setting]
count_total: true # error: [invalid-setting]
---*/
SELECT OrderId FROM Orders
