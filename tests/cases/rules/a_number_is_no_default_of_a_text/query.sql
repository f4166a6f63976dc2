/*---
params:
  # error: [invalid-default]
  status: { default: 5 }
---*/
SELECT id FROM orders WHERE status = << status >>
