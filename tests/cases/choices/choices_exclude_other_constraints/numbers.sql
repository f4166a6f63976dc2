/*---
params:
  # error: [invalid-choice]
  sort: { choices: { newest: day DESC, oldest: day }, type: bigint }
---*/
SELECT id FROM orders ORDER BY << sort >>
