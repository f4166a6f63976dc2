/*---
params:
  bar: { choices: { open: (SELECT max(price) FROM opened), fixed: "60.0" } }
---*/
SELECT id FROM orders WHERE price > << bar >> ORDER BY id
