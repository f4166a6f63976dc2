/*---
params:
  words: { min_length: 5 }
---*/
SELECT id
FROM orders
WHERE note = << words >>
