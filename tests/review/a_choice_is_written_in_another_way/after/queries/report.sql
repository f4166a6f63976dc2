/*---
params:
  sort: { choices: { newest: placed_at desc, dearest: price  DESC } }
---*/
SELECT id, status, quantity FROM orders
ORDER BY << sort >>, id
