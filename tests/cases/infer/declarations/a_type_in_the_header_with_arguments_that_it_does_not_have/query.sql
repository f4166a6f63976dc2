/*---
params:
  prices:
    # error: [unknown-type]
    type: "decimal(2,3)[]"
---*/
SELECT id FROM orders WHERE price IN << prices >>
