/*---
params:
  sort: { choices: { newest: "placed_at DESC, id", dearest: "price DESC, id" } }
---*/
SELECT id FROM orders ORDER BY << sort >> LIMIT 3
