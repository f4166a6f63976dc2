/*---
params: { t: { format: hostname } }
---*/
-- calls: three rows, then refused
SELECT << t: text >> AS t
