/*---
params:
  sort: { choices: { note: '"note" DESC', table: '"orders"."price" DESC' } }
---*/
SELECT id FROM orders WHERE id <= 5 ORDER BY << sort >>, id
