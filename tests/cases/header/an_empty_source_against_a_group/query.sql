/*---
params_from: own
params:
  status:
    description: The status.
    from: # error: [invalid-value]
---*/
SELECT id FROM orders WHERE status = << status >>
