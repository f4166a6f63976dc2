/*---
lints:
  # error: [invalid-value]
  select-star: silent
---*/
SELECT id FROM orders
