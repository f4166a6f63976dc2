/*---
source: shop
result_limit: 3
---*/
SELECT Name FROM Customers WHERE Name < << before: text >> UNION ALL SELECT Status FROM Orders ORDER BY 1
