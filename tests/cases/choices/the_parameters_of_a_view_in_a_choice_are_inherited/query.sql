/*---
params:
  bar: { choices: { view: (SELECT max(price) FROM some), fixed: "60.0" } }
---*/
SELECT id FROM orders WHERE price > << bar >> ORDER BY id
