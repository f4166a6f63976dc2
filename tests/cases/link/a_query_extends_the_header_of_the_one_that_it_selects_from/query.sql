/*---
extends: base
description: Open orders.
params:
  status: { fixed: open }
  least: { default: 0 }
---*/
SELECT id, quantity FROM base ORDER BY id
