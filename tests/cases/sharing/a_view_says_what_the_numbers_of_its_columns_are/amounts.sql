/*---
description: Amounts.
kind: view
columns:
  amount: { decimal: number, description: In euros. }
  big: { bigint: string }
---*/
SELECT id, amount, big FROM types
