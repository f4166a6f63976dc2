/*---
params:
  # error: [unknown-key]
  status: { validator: email }
---*/
SELECT id FROM orders WHERE status = << status >>
