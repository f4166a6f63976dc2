/*---
params:
  sort: { choices: { newest: placed_at DESC, dearest: price DESC } }
---*/
SELECT id, status, quantity FROM orders
ORDER BY << sort >>, id
