/*---
params:
  # error: [invalid-value]
  status: { allowed_values: [] }
---*/
SELECT id FROM orders WHERE status = << status >>
