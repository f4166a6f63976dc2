/*---
params:
  # error: [invalid-allowed-value]
  statuses: { allowed_values: [open, [shipped]] }
---*/
SELECT id FROM orders WHERE status IN << statuses >>
