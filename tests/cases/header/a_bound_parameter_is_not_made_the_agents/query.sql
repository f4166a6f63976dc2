/*---
description: Orders.
params:
  state:
    # error: [invalid-value]
    from:
    description: A state.
---*/
SELECT id FROM orders WHERE status = << state >> ORDER BY id LIMIT 5
