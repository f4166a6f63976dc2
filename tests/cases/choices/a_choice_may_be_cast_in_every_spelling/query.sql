/*---
params:
  x: { choices: { sum: quantity + customer_id, pieces: quantity } }
---*/
SELECT << x >>::text AS a, CAST(<< x >> AS text) AS b FROM orders WHERE id = 5
