/*---
params:
  # error: [invalid-default]
  most: { default: { sql: (SELECT max(quantity) FROM orders) } }
---*/
SELECT id FROM orders
-- error: [invalid-default]
WHERE quantity > << least = (SELECT 1) >> AND quantity < << most >> ORDER BY id
