/*---
# error: [invalid-choice]
params: { a: { choices: { a: id, b: price, c: day, d: note, e: status } }, b: { choices: { a: id, b: price, c: day, d: note, e: status } }, c: { choices: { a: id, b: price, c: day } } }
---*/
SELECT id FROM orders ORDER BY << a >>, << b >>, << c >>
