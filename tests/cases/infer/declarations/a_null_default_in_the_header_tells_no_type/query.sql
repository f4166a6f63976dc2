/*---
params: { x: { default: null } }
---*/
-- error: [cannot-infer-type]
SELECT << x >> AS x
