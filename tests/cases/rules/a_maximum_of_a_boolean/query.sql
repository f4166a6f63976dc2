/*---
params:
  # error: [invalid-constraint]
  vip: { maximum: true }
---*/
SELECT id FROM customers WHERE vip = << vip >>
