/*---
description: Orders of a state.
tags: [orders]
result_limit: 2
params:
  status: { description: The state., allowed_values: [open, shipped, returned] }
  least: { description: Smallest quantity. }
---*/
SELECT id, status, quantity FROM orders WHERE status = << status = 'shipped' >> AND quantity >= << least >>
