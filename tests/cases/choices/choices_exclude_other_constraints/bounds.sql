/*---
params:
  # error: [invalid-choice]
  sort: { choices: { newest: day DESC, oldest: day }, minimum: 1 }
---*/
SELECT id FROM orders ORDER BY << sort >>
