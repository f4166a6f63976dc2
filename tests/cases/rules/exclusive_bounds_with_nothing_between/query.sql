/*---
params:
  # error: [invalid-constraint]
  quantity: { exclusive_minimum: 5, exclusive_maximum: 5 }
---*/
SELECT id FROM orders WHERE quantity = << quantity >>
