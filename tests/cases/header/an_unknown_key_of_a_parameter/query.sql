/*---
params:
  least:
    # error: [unknown-key]
    minimun: 1
---*/
SELECT id FROM orders WHERE quantity >= << least >>
