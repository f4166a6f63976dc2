/*---
description: Line items by how they are shipped, from a quantity on.
params:
  least: { description: Least quantity }
---*/
SELECT l_shipmode, COUNT(*) AS items, MAX(l_extendedprice) AS highest, SUM(l_linenumber) AS numbers
FROM lineitem
WHERE l_quantity >= << least >>
GROUP BY l_shipmode
ORDER BY l_shipmode
