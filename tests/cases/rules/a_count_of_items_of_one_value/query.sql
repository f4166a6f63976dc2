/*---
params:
  # error: [invalid-constraint]
  status: { min_items: 1 }
---*/
SELECT id FROM orders WHERE status = << status >>
