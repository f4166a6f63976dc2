/*---
params:
  # error: [invalid-constraint]
  quantity: { minimum: 10, maximum: 5 }
---*/
SELECT id FROM orders WHERE quantity = << quantity >>
