/*---
description: Orders of a state.
params:
  # error: [invalid-value]
  status: The state, in words
---*/
SELECT id FROM orders WHERE status = << status >>
