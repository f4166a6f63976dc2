/*---
params:
  # error: [invalid-choice]
  sort: { choices: { newest: day DESC, oldest: day }, from: claim.sort }
---*/
SELECT id FROM orders ORDER BY << sort >>
