/*---
source: shop
result_limit: 2
columns: { column1: { type: bigint }, column2: { type: text } }
---*/
VALUES (1, << a: text >>), (2, 'b'), (3, NULL)
