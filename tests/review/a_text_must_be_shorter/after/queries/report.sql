/*---
params:
  words: { max_length: 20 }
---*/
SELECT id
FROM orders
WHERE note = << words >>
