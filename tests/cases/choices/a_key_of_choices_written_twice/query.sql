/*---
params:
  sort:
    choices:
      newest: day DESC
      # error: [invalid-yaml]
      newest: day
---*/
SELECT id FROM orders ORDER BY << sort >>
