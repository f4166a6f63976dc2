/*---
params:
  # error: [invalid-default]
  status: { pattern: "^[a-z]+$", default: Open }
---*/
SELECT id FROM orders WHERE status = << status >>
