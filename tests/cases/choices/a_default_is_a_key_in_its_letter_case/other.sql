/*---
params:
  sort: { choices: { newest: day DESC, oldest: day } }
---*/
SELECT id
FROM orders
-- error: [default-not-allowed]
ORDER BY << sort = 'Newest' >>, id
