/*---
source: shop
---*/
WITH one AS (SELECT 1) DELETE FROM Customers -- error: [foreign-statement]
