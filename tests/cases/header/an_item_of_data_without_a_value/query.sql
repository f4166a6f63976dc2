/*---
description: Orders.
meta:
  owners:
    - # error: [invalid-value]
    - null
---*/
SELECT id FROM orders
