/*---
params:
  # error: [invalid-allowed-value]
  status: { allowed_values: [open, shipped], examples: [lost] }
---*/
SELECT id FROM orders WHERE status = << status >>
