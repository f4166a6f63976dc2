/*---
params:
  words: { examples: [gift, fragile] }
---*/
SELECT id
FROM orders
WHERE note = << words >>
