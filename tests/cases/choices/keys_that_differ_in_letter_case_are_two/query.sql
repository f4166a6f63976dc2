/*---
params:
  sort: { choices: { a: price, A: price DESC } }
---*/
SELECT id FROM orders WHERE id <= 3 ORDER BY << sort >>, id
