/*---
params:
  # error: [unknown-key] error: [invalid-value]
  rate: { description: The rate., default: 1,1 }
---*/
SELECT id, amount * << rate >> AS gross FROM types
