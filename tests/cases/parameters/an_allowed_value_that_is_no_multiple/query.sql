/*---
params:
  # error: [invalid-allowed-value]
  least: { multiple_of: 5, allowed_values: [5, 12] }
---*/
SELECT id FROM orders WHERE quantity >= << least >>
