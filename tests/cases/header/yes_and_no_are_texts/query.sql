/*---
params:
  status: { allowed_values: [yes, no, on, off], default: no, description: A word. }
---*/
SELECT id FROM orders WHERE status = << status >>
