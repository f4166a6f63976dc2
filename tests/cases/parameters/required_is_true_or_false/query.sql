/*---
params:
  status:
    # error: [invalid-value]
    required: "yes"
---*/
SELECT id FROM orders WHERE status = << status >>
