/*---
params:
  which: { choices: { dear: price > 20, many: quantity > 4 } }
---*/
SELECT count(*) AS n FROM orders WHERE << which >> = << yes >>
