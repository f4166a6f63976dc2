/*---
source: shop
columns: { Title: { type: text } }
---*/
SELECT Title FROM Articles WHERE Articles MATCH << words >> ORDER BY rank
