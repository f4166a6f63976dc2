/*---
params:
  a: { choices: { a: id, b: price, c: day, d: status } }
  b: { choices: { a: id, b: price, c: day, d: status } }
  c: { choices: { a: id, b: price, c: day, d: status } }
---*/
SELECT id FROM orders WHERE id <= 4 ORDER BY << a >> DESC, << b >>, << c >>
