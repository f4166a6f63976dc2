/*---
source: shop
---*/
SELECT ARRAY[[1,2],[3,4]] AS a
