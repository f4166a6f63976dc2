/*---
source: shop
---*/
SELECT OrderId FROM Orders WHERE Status = << word: text >> OR << word: text >> IN (SELECT Name FROM Customers WHERE CustomerId = Orders.CustomerId)
ORDER BY OrderId
