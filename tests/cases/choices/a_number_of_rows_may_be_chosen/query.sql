/*---
params:
  rows: { choices: { few: "2", more: "2 + 3" }, default: few }
---*/
SELECT id FROM orders ORDER BY id LIMIT << rows >>
