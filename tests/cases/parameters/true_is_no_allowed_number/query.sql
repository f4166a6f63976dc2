/*---
params:
  # error: [invalid-allowed-value]
  n: { allowed_values: [1, true], default: 1 }
---*/
SELECT << n: int >> AS n
