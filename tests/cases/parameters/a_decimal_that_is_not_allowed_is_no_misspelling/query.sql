/*---
params: { factor: { allowed_values: [1, 2.50] } }
---*/
-- calls: 1.00, 2.50, refused without a "did you mean": 3 is no slip for 1
SELECT << factor: decimal(4,2) >> AS factor
