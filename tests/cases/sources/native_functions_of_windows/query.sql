/*---
source: shop
columns:
  so_far: { type: "decimal(12,2)" }
---*/
SELECT OrderId, row_number() OVER (PARTITION BY CustomerId ORDER BY Total DESC) AS place,
  sum(Total) OVER (ORDER BY OrderId ROWS UNBOUNDED PRECEDING) AS so_far
FROM Orders WHERE Total < << below: double >> ORDER BY OrderId
