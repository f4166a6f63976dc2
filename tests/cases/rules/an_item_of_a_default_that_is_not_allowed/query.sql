/*---
params:
  # error: [default-not-allowed]
  statuses: { allowed_values: [open, shipped], default: [open, lost] }
---*/
SELECT id FROM orders WHERE status IN << statuses >>
