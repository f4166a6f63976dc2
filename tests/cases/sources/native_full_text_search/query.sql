/*---
source: shop
columns: { Title: { type: text } }
---*/
SELECT rowid AS id, Title, highlight(Articles, 1, '<', '>') AS found
FROM Articles WHERE Articles MATCH << words >> ORDER BY rank
