/*---
params:
  a: { min_items: 1, max_items: 3, allowed_values: [open, shipped], default: [open] }
  b: { minimum: 1, maximum: 100, max_items: 10 }
  c: { min_length: 2, pattern: "^[a-z]+$" }
---*/
SELECT id FROM orders WHERE status IN << a >> AND id IN << b >> AND note IN << c >>
