/*---
description: Orders.
# error: [invalid-value]
result_limit: 1e3
params:
  # error: [invalid-value]
  state: { description: A state., max_length: 2.0 }
---*/
SELECT id FROM orders WHERE status = << state >> ORDER BY id LIMIT 5
