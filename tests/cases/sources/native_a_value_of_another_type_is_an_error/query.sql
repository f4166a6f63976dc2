/*---
source: shop
columns: { n: { type: bigint } }
---*/
SELECT OrderId, CASE WHEN OrderId > << above: bigint >> THEN 'many' ELSE 1 END AS n FROM Orders ORDER BY OrderId
