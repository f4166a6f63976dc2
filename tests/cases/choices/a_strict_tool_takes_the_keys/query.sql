/*---
strict: true
params:
  sort: { choices: { dear: price DESC, cheap: price } }
---*/
SELECT id, price FROM orders WHERE id <= 3 ORDER BY << sort >>, id
