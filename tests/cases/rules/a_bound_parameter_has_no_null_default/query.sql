/*---
params:
  least: { from: claim.least, default: null } # error: [invalid-setting]
---*/
SELECT id FROM orders WHERE quantity >= << least >>
