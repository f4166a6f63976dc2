/*---
columns:
  amount: { decimal: number }
---*/
SELECT amount FROM types
