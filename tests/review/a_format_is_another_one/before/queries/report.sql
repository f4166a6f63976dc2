/*---
params:
  words: { format: ipv4 }
---*/
SELECT id
FROM orders
WHERE note = << words >>
