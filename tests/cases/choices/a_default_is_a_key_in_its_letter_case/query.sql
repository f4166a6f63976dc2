/*---
params:
  # error: [default-not-allowed]
  sort: { choices: { newest: day DESC, oldest: day }, default: newst }
---*/
SELECT id FROM orders ORDER BY << sort >>, id
