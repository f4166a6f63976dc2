/*---
params:
  # error: [invalid-choice]
  sort: { choices: {} }
---*/
SELECT id FROM orders ORDER BY << sort >>
