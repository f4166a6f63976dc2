/*---
params:
  # error: [invalid-choice]
  sort: { choices: { newest: day DESC, oldest: day }, required: false }
---*/
SELECT id FROM orders ORDER BY << sort >>, id
