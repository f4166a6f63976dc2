/*---
source: shop
---*/
SELECT time '24:00' AS t
