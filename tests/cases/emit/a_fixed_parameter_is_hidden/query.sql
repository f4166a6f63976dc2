/*---
description: Open orders.
params:
  status: { fixed: open }
  least: { description: Smallest price. }
---*/
SELECT id FROM orders WHERE status = << status >> AND price > << least >>
