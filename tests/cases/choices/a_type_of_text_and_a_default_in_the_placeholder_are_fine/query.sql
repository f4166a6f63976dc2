/*---
params:
  sort: { type: text, choices: { newest: day DESC, oldest: day }, examples: [oldest] }
---*/
SELECT id FROM orders WHERE id <= 3 ORDER BY << sort: text = 'oldest' >>, id
