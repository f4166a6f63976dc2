/*---
params:
  # error: [invalid-constraint]
  quantity: { minimum: none }
---*/
SELECT id FROM orders WHERE quantity = << quantity >>
