/*---
params:
  x:
    choices:
      pieces: quantity
      # error: [syntax-error]
      outside: quantity) + (1
---*/
SELECT id, << x >> * 2 AS n FROM orders ORDER BY id
