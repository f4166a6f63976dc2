/*---
params: { n: { allowed_values: [1, 2], default: 1 } }
---*/
SELECT << n: int >> AS n
