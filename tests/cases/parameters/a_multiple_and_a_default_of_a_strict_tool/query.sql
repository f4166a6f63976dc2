/*---
strict: true
params: { n: { multiple_of: 15, default: 30 } }
---*/
-- calls: 30, 45, 45, two refusals
SELECT << n: int >> AS n
