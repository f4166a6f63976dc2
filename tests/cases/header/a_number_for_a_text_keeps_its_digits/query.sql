/*---
description: Orders of a state.
params:
  # error: [invalid-default]
  status: { description: The state., default: 01234 }
---*/
SELECT id FROM orders WHERE status = << status >>
