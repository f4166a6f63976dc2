/*---
description: Orders of a state.
# error: [unknown-key]
parameters:
  status: {}
params:
  # error: [unknown-key]
  status: { enum: [open, shipped] }
---*/
SELECT id FROM orders WHERE status = << status >>
