/*---
columns:
  amount: { description: In whole euros and cents. }
  big: { bigint: number }
---*/
SELECT id, amount, big FROM amounts WHERE id = << id >>
