/*---
params:
  # error: [invalid-default]
  most: { default: { sql: << least >> + 1 } }
---*/
SELECT id FROM orders WHERE quantity BETWEEN << least >> AND << most >> ORDER BY id
