/*---
aliases:
  # error: [name-collision]
  - other
  # error: [name-collision]
  - Orders
  # error: [invalid-setting]
  - query
  # error: [invalid-name]
  - 1st
---*/
SELECT id FROM orders LIMIT 5
