/*---
description: Orders.
params:
  # error: [invalid-value]
  state: { from: claims.state }
---*/
SELECT id FROM orders WHERE status = << state >> ORDER BY id LIMIT 5
