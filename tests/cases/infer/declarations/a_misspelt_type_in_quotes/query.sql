/*---
params:
  # error: [unknown-type]
  prices: { type: "decimall(10,2)[]" }
---*/
SELECT id FROM orders WHERE price IN << prices >>
