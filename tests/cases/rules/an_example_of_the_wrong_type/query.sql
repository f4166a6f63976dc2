/*---
params:
  # error: [invalid-allowed-value]
  quantity: { examples: [5, many] }
---*/
SELECT id FROM orders WHERE quantity = << quantity >>
