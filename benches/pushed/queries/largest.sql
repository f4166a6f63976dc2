/*---
description: The ten line items of the highest price, from a quantity on.
params:
  least: { description: Least quantity }
---*/
SELECT l_orderkey, l_linenumber, l_extendedprice
FROM lineitem
WHERE l_quantity >= << least >>
ORDER BY l_extendedprice DESC, l_orderkey, l_linenumber
LIMIT 10
