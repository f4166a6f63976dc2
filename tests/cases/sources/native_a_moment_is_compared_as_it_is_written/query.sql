/*---
source: shop
---*/
SELECT OrderId FROM Orders
WHERE Placed >= << since >> -- error: [cannot-infer-type]
  AND Placed NOT IN << except >> -- error: [cannot-infer-type]
  AND Due > << due >>
