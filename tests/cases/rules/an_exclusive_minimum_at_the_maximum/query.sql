/*---
params:
  # error: [invalid-constraint]
  quantity: { exclusive_minimum: 5, maximum: 5 }
---*/
SELECT id FROM orders WHERE quantity = << quantity >>
