/*---
strict: true
params:
  amount: { minimum: 1, maximum: 99.5 }
  factor: { allowed_values: [1, 2.50], default: 1 }
---*/
SELECT << amount: decimal(10,2) >> AS amount, << factor: decimal(4,2) >> AS factor
