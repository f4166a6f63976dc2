/*---
params:
  # error: [default-not-allowed]
  n: { allowed_values: [1, 2], default: 3 }
---*/
SELECT << n: int >> AS n
