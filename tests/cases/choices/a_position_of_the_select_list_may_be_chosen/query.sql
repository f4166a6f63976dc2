/*---
params:
  sort: { choices: { pieces: "2", price: 3 DESC } }
---*/
SELECT id, quantity, price FROM orders WHERE id <= 5 ORDER BY << sort >>, 1
