/*---
params:
  # error: [invalid-allowed-value]
  status: { allowed_values: [open, null] }
---*/
SELECT id FROM orders WHERE status = << status >>
