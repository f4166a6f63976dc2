/*---
params:
  # error: [invalid-default]
  size: { default: { w: 10 } }
---*/
SELECT id FROM items WHERE size = << size >>
