/*---
params:
  x:
    choices:
      pieces: quantity -- of the order
      block: quantity /* of the order */ + 1
---*/
SELECT id, << x >> * 2 AS n FROM orders WHERE id = 2
