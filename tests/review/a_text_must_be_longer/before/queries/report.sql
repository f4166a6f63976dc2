/*---
params:
  words: { min_length: 2 }
---*/
SELECT id
FROM orders
WHERE note = << words >>
