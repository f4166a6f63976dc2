/*---
params:
  # error: [invalid-value]
  sort: { choices: {} }
---*/
SELECT id FROM orders ORDER BY << sort >>
