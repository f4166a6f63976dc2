/*---
params:
  words: { pattern: '^[A-Z]+$' }
---*/
SELECT id
FROM orders
WHERE note = << words >>
