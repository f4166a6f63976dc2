/*---
params:
  words: { format: ipv6 }
---*/
SELECT id
FROM orders
WHERE note = << words >>
