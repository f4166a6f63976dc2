/*---
source: shop
---*/
SELECT OrderId, Total FROM Orders
WHERE Status = << status >>
ORDER BY << column: text >> LIMIT 10 -- error: [constant-key]
