/*---
params:
  # error: [unused-parameter]
  statuss: { description: The status. }
---*/
SELECT id FROM orders WHERE status = << status >>
