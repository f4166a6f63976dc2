/*---
params:
  # error: [invalid-default]
  status: { max_length: 3, default: open }
---*/
SELECT id FROM orders WHERE status = << status >>
