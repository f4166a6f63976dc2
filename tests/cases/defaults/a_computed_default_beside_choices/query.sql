/*---
params:
  # error: [invalid-default]
  sort: { choices: { newest: day DESC, oldest: day }, default: { sql: "'new' || 'est'" } }
---*/
SELECT id FROM orders ORDER BY << sort >>
