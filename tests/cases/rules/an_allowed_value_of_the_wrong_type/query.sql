/*---
params:
  quantity:
    # error: [invalid-allowed-value]
    allowed_values: [1, two, 3]
---*/
SELECT id FROM orders WHERE quantity = << quantity >>
