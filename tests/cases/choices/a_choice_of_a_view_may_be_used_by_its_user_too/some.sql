/*---
kind: view
params:
  sort: { choices: { status: status, price: price DESC } }
---*/
SELECT id, status, price FROM orders WHERE id IN (SELECT id FROM orders ORDER BY << sort >>, id LIMIT 4)
