/*---
params: { x: { multiple_of: 0.01 } }
---*/
-- 19.99 / 0.01 is 1998.9999999999998 in doubles, and 19.99 is a multiple all the same.
-- calls: five rows, two refusals
SELECT << x: double >> AS x
