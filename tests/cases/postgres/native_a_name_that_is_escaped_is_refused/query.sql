/*---
source: shop
---*/
SELECT U&"pg\005fsleep"(9) AS x -- error: [foreign-statement]
