/*---
params:
  # error: [missing-key]
  a: { allowed_values: { refresh: 1h } }
---*/
SELECT << a: text >> AS a
