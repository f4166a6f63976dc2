/*---
source: shop
columns:
  spent: { type: "decimal(12,2)", description: What they have paid. }
---*/
SELECT c.Name, count(*) AS orders, sum(o.Total) AS spent, max(o.Due) AS last -- error: [unsupported-type]
FROM Orders o JOIN Customers c USING (CustomerId)
GROUP BY c.CustomerId
