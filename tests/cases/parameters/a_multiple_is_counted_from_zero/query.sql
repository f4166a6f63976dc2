/*---
params: { n: { multiple_of: 5, minimum: -10 } }
---*/
-- calls: five rows, three refusals
SELECT << n: int >> AS n
