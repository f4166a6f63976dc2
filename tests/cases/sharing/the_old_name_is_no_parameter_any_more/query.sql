/*---
params:
  # error: [unused-parameter]
  most: { default: 10 }
---*/
SELECT id FROM cheap(most => << top >>)
