/*---
params:
  # error: [invalid-choice]
  sort: { choices: { newest: day DESC, oldest: day }, pattern: est$ }
---*/
SELECT id FROM orders ORDER BY << sort >>
