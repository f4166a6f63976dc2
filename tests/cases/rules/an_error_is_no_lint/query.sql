/*---
lints:
  # error: [invalid-setting]
  unknown-column: allow
---*/
SELECT id FROM orders
