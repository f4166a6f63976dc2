/*---
source: shop
---*/
-- error: [not-writable]
WITH one AS (SELECT 1) DELETE FROM Customers -- error: [unbounded-change]
