/*---
params:
  # error: [invalid-constraint]
  status: { pattern: '((\w{50}){50}){50}' }
---*/
SELECT id FROM orders WHERE status = << status >>
