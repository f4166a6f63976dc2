/*---
params:
  status: { allowed_values: [open, shipped], default: open }
  statuses: { allowed_values: [open, shipped], default: [shipped, open] }
  quantity: { allowed_values: [1, 2, 3], default: 2.0 }
---*/
SELECT id FROM orders WHERE status = << status >> AND status IN << statuses >> AND quantity = << quantity >>
