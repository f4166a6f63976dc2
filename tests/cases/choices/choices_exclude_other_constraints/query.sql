/*---
params:
  # error: [invalid-choice]
  sort: { choices: { newest: day DESC, oldest: day }, allowed_values: [newest, oldest] }
---*/
SELECT id FROM orders ORDER BY << sort >>
