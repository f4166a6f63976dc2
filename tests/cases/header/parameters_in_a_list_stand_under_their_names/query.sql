/*---
description: Orders of a state.
params:
  # error: [invalid-value]
  - name: status
    description: The state.
---*/
SELECT id FROM orders WHERE status = << status >>
