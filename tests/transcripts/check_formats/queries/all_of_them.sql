/*---
descripton: All orders.
resultlimit: 5
---*/
SELECT id FROM ordres; SELECT lowr('x')
