/*---
columns:
  big: { bigint: string }
  amount: { decimal: number, description: In euros. }
  record: { bigint: string, decimal: number }
---*/
SELECT big, amount, struct(big AS n, [amount] AS many, id) AS record, big AS plain FROM types
