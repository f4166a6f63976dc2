/*---
params:
  words: { format: email }
---*/
SELECT id
FROM orders
WHERE note = << words >>
