/*---
description: Orders in one state, largest first.
params:
  status: { description: State of the order., allowed_values: { query: SELECT status FROM orders } }
  sort: { description: Order of the rows., choices: { largest: total DESC, smallest: total }, default: largest }
---*/
SELECT id, total FROM orders WHERE status = << status >> ORDER BY << sort >>, id
