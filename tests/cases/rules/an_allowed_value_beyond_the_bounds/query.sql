/*---
params:
  # error: [invalid-allowed-value]
  quantity: { allowed_values: [1, 20], maximum: 10 }
---*/
SELECT id FROM orders WHERE quantity = << quantity >>
