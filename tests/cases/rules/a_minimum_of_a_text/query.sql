/*---
params:
  # error: [invalid-constraint]
  status: { minimum: 1 }
---*/
SELECT id FROM orders WHERE status = << status >>
