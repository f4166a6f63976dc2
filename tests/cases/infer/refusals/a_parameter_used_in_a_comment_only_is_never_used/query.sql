/*---
params:
  # error: [unused-parameter]
  status: { description: The status. }
---*/
SELECT id FROM orders -- WHERE status = << status >>
