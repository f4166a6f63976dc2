/*---
kind: view
params:
  # error: [unused-parameter]
  colour: { description: The colour. }
---*/
SELECT id FROM orders WHERE status = 'shipped'
