/*---
source: shop
---*/
SELECT date 'infinity' AS d
