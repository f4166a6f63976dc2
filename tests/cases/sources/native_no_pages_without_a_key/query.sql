/*---
source: shop
result_limit: 2
expose: [limit, cursor] # error: [invalid-setting]
---*/
SELECT Product, Quantity FROM "Order Details" ORDER BY Quantity
