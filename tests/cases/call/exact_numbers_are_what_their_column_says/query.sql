/*---
columns:
  big: { bigint: string }
  amount: { decimal: number }
---*/
SELECT id, big, amount, amount * 1.000 AS scaled FROM types
