/*---
params:
  columns: { choices: { first: "a.id, a.price", second: "b.id, b.price" } }
---*/
SELECT << columns >>, a.day FROM orders AS a JOIN orders AS b ON b.id = a.id + 10 WHERE a.id <= 2 ORDER BY a.id
