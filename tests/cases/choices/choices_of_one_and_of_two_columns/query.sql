/*---
params:
  columns:
    choices:
      one: id
      # error: [choices-differ]
      two: id, price
---*/
SELECT << columns >> FROM orders
