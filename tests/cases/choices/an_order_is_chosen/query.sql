/*---
params:
  sort: { choices: { newest: day DESC, dearest: price DESC, smallest: "quantity, id" }, default: newest }
---*/
SELECT id FROM orders WHERE id <= 4 ORDER BY << sort >>
