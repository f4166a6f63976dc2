/*---
params:
  words: { pattern: '^[a-z]+$' }
---*/
SELECT id
FROM orders
WHERE note = << words >>
