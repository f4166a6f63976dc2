/*---
params:
  sort: { choices: { newest: day DESC, dearest: price DESC } }
---*/
SELECT id, status, quantity FROM orders
ORDER BY << sort >>, id
