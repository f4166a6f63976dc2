/*---
params:
  # error: [invalid-constraint]
  since: { max_length: 10 }
---*/
SELECT id FROM orders WHERE day >= << since >>
