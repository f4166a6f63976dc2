/*---
params:
  # error: [invalid-constraint]
  status: { multiple_of: 2 }
  # error: [invalid-constraint]
  since: { multiple_of: 7 }
---*/
SELECT id FROM orders WHERE status = << status >> AND day >= << since >>
