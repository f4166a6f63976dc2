/*---
extends: base
params:
  # error: [invalid-setting]
  customer: { default: 1 }
---*/
SELECT id FROM base ORDER BY id
