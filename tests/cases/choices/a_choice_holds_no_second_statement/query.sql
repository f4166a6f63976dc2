/*---
params:
  sort:
    choices:
      good: price
      # error: [syntax-error]
      bad: price; SELECT 1
---*/
SELECT id FROM orders ORDER BY << sort >>
