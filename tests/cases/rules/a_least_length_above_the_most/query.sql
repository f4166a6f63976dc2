/*---
params:
  # error: [invalid-constraint]
  status: { min_length: 5, max_length: 4 }
---*/
SELECT id FROM orders WHERE status = << status >>
