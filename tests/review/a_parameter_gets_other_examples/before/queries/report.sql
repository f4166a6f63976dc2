/*---
params:
  words: { examples: [fragile] }
---*/
SELECT id
FROM orders
WHERE note = << words >>
