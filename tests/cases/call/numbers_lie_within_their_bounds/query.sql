/*---
params:
  a: { minimum: 1, maximum: 10, default: 5 }
  b: { exclusive_minimum: 0, exclusive_maximum: 1, default: 0.5 }
---*/
SELECT << a: int >> AS a, << b: double >> AS b
