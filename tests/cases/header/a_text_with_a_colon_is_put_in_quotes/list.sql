/*---
description: Orders.
params:
  status:
    # error: [invalid-yaml]
    pattern: [a-z]+
---*/
SELECT id FROM orders WHERE status = << status >>
