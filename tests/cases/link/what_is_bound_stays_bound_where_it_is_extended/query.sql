/*---
extends: base
params:
  # error: [invalid-setting]
  customer: { fixed: 1 }
---*/
SELECT id FROM base ORDER BY id
