/*---
params:
  status: { description: The status. }
  # error: [unused-parameter]
  colour: { description: The colour. }
---*/
SELECT id FROM orders WHERE status = << status >>
