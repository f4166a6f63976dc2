/*---
source: shpo # error: [unknown-source]
---*/
SELECT OrderId FROM Orders
