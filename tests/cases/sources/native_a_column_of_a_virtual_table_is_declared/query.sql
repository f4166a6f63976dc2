/*---
source: shop
---*/
SELECT Title FROM Articles WHERE Articles MATCH << words >> -- error: [unsupported-type]
