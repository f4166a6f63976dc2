/*---
params:
  # error: [default-not-allowed]
  status: { allowed_values: [open, shipped], default: Open }
---*/
SELECT id FROM orders WHERE status = << status >>
