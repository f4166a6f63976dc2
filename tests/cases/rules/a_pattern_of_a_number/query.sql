/*---
params:
  # error: [invalid-constraint]
  quantity: { pattern: "^[0-9]+$" }
---*/
SELECT id FROM orders WHERE quantity = << quantity >>
