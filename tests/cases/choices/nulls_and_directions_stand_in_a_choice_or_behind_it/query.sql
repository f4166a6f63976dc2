/*---
params:
  first: { choices: { unnoted: note NULLS FIRST, noted: note DESC NULLS LAST } }
  then: { choices: { id: id, price: price } }
---*/
SELECT id, note FROM orders WHERE id IN (3, 4, 5, 18) ORDER BY << first >>, << then >> DESC NULLS LAST
