/*---
params:
  x: { minimum: 0 }
  y: { allowed_values: [0, 1] }
  i: { minimum: 0 }
---*/
-- All calls are accepted.
SELECT << x: double >> + 1 AS x, << y: double >> + 1 AS y, << i: int >> + 1 AS i
