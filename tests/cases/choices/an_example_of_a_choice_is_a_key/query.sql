/*---
params:
  # error: [invalid-allowed-value]
  sort: { choices: { newest: day DESC, oldest: day }, examples: [oldst] }
---*/
SELECT id FROM orders ORDER BY << sort >>, id
