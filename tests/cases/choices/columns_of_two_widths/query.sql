/*---
params:
  x:
    choices:
      wide: quantity
      # error: [choices-differ]
      narrow: CAST(quantity AS int)
---*/
SELECT id, << x >> AS x FROM orders
