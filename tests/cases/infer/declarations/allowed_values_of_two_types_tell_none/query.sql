/*---
params: { x: { allowed_values: [1, two] } }
---*/
-- error: [cannot-infer-type]
SELECT << x >> AS x
