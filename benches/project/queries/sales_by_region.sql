/*---
description: The first 10 sales of a region.
expose: []
params:
  region: { description: Sales region }
---*/
SELECT id, sold_at, product, quantity, unit_price
FROM sales
WHERE region = << region >>
ORDER BY id
LIMIT 10
