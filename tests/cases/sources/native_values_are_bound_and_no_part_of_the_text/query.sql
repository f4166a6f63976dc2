/*---
source: shop
columns: { one: { type: text }, two: { type: text } }
---*/
SELECT << one: text >> AS one, 'a << b' AS two, [Name], `Mail` FROM Customers WHERE Name <> << one: text >> ORDER BY CustomerId
