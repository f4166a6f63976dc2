/*---
source: shop
columns:
  spent: { type: "decimal(12,2)" }
  last: { type: date }
---*/
SELECT c.Name, count(*) AS orders, sum(o.Total) AS spent, max(o.Due) AS last
FROM Orders o JOIN Customers c USING (CustomerId)
GROUP BY c.CustomerId ORDER BY spent DESC
