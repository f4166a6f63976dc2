/*---
params:
  words: { max_length: 50 }
---*/
SELECT id
FROM orders
WHERE note = << words >>
