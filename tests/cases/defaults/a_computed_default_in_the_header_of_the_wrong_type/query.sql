/*---
params:
  # error: [invalid-default]
  vip: { default: { sql: current_date } }
---*/
SELECT id FROM customers WHERE vip = << vip >> ORDER BY id
