/*---
params:
  a: { minimum: 1, maximum: 10 }
  b: { exclusive_minimum: 0, exclusive_maximum: 1.5 }
  c: { minimum: 0 }
  d: { allowed_values: [1, 2, 3] }
---*/
SELECT id FROM types WHERE big = << a >> AND dbl = << b >> AND small = << c >> AND medium = << d >>
