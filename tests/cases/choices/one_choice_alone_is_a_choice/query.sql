/*---
params:
  sort: { choices: { only: price DESC } }
---*/
SELECT id FROM orders WHERE id <= 3 ORDER BY << sort >>, id
