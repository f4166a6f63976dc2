/*---
source: shop
---*/
SELECT 'NaN'::numeric(8,2) AS n
