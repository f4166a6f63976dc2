/*---
description: Orders in one state, the latest first.
params:
  status: { description: The state of the order., allowed_values: [open, shipped, returned, cancelled] }
  min_total: { description: Smallest total. }
---*/
SELECT id, placed_at, customer, total
FROM orders
WHERE status = << status >>
  [[ AND total >= << min_total >> ]]
ORDER BY placed_at DESC, id
