/*---
lints:
  # error: [unknown-key]
  select-sta: allow
---*/
SELECT * FROM orders
