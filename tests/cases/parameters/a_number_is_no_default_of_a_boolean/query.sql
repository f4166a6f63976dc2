/*---
params:
  # error: [invalid-default]
  vip: { default: 1 }
---*/
SELECT id FROM customers WHERE vip = << vip >>
