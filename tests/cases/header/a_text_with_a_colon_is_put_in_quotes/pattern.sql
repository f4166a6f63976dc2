/*---
description: Orders.
params:
  status:
    # error: [invalid-value]
    pattern: [a-z]
---*/
SELECT id FROM orders WHERE status = << status >>
