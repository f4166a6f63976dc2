/*---
source: shop
---*/
SELECT OrderId FROM Orders WHERE Status = coalesce(<< status?: text >>, 'paid') AND Total IN << totals?: decimal(10,2)[] >>
