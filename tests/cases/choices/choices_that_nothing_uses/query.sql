/*---
params:
  # error: [unused-parameter]
  sort: { choices: { newest: day DESC, oldest: day } }
---*/
SELECT id FROM orders ORDER BY day, id
