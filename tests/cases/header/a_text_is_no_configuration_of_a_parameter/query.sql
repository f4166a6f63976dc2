/*---
params:
  # error: [invalid-value]
  status: The status.
---*/
SELECT id FROM orders WHERE status = << status >>
