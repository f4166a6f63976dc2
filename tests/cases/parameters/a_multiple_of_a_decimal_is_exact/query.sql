/*---
params: { d: { multiple_of: 0.05 } }
---*/
-- calls: four rows, two refusals
SELECT << d: decimal(10,2) >> AS d
