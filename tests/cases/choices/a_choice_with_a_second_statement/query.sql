/*---
params:
  sort:
    choices:
      newest: day DESC
      # error: [syntax-error]
      other: id; SELECT 1
---*/
SELECT id FROM orders ORDER BY << sort >>
