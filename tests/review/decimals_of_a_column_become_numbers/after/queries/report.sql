/*---
columns:
  amount: { decimal: number }
---*/
SELECT id, amount FROM types
