/*---
params:
  x: { choices: { nested: "array_length([[1, 2], [3, 4]])", flat: "array_length([1, 2, 3])" } }
---*/
SELECT << x >> AS n
